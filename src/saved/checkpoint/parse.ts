/** Reads a checkpoint, also one that a person changed or that is damaged. */

import { type FrontMatterValue, readFrontMatter } from "./front_matter.ts";
import { MAX_READ_CHARS, splitSections } from "./sections.ts";

/** What made a checkpoint: the client before a compaction, a person, or a look at the pressure. */
export type CheckpointTrigger = "auto" | "manual" | "watcher";

/** What the front matter of a checkpoint says. */
export interface CheckpointMeta {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** When it was made: ISO 8601, UTC, to the second. */
  readonly created: string;
  /** What made it. */
  readonly trigger: CheckpointTrigger;
  /** The folder of the project. */
  readonly project: string;
  /** The session; empty where it is not known. */
  readonly session_id: string;
  /** The number of this checkpoint among all of the project, from 1. */
  readonly iteration: number;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** How full the window was, 0 to 100; null where nothing told. */
  readonly usage_percent: number | null;
  /** The id of the session's checkpoint before this one. */
  readonly parent: string | null;
  /** Why it does not hold the whole session; missing where it does. */
  readonly partial?: string;
  /** The task and the count of files in a line; made from the state where it is missing. */
  readonly summary?: string;
}

export interface ParsedCheckpoint {
  /** What its front matter says; null where that cannot be read or lacks something. */
  readonly meta: CheckpointMeta | null;
  readonly sections: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

/** Fields whose values are text, however they are written. */
const TEXT_FIELDS = [
  "id",
  "created",
  "trigger",
  "project",
  "session_id",
  "parent",
  "partial",
  "summary",
];

export const TRIGGERS: readonly CheckpointTrigger[] = ["auto", "manual", "watcher"];

/** A usage that is more than this many percent is none. */
const MAX_PERCENT = 1_000;

/** How a time must begin, so that everybody reads the same. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

export function parseCheckpoint(text: string): ParsedCheckpoint {
  const problems: string[] = [];
  if (text.length > MAX_READ_CHARS) {
    problems.push("The file is much larger than a checkpoint; only the start was read.");
  }
  const { found, fields, body } = readFrontMatter(text, { textFields: TEXT_FIELDS });
  if (!found) {
    problems.push("Front matter is missing or does not end; save the checkpoint again.");
  }
  const meta = found ? readMeta(fields, problems) : null;
  return { meta, sections: splitSections(body), problems };
}

/** Tells every field that is wrong, so that all can be repaired at once. */
function readMeta(
  fields: ReadonlyMap<string, FrontMatterValue>,
  problems: string[],
): CheckpointMeta | null {
  const before = problems.length;
  const expect = (name: string, isRight: boolean, expected: string): void => {
    if (!isRight) problems.push(`Front matter needs \`${name}\`: ${expected}.`);
  };
  const text = (name: string): string => String(fields.get(name) ?? "");
  const created = text("created");
  const isTime = ISO_TIME.test(created) && Number.isFinite(Date.parse(created));
  const trigger = TRIGGERS.find((one) => one === text("trigger"));
  const iteration = Number(fields.get("iteration") ?? NaN);
  const verified = fields.get("verified");
  const percent = fields.get("usage_percent") ?? null;
  const isPercent = percent === null ||
    (typeof percent === "number" && percent >= 0 && percent <= MAX_PERCENT);
  expect("created", isTime, "a time such as 2025-12-20T14:30:22Z");
  expect("trigger", trigger !== undefined, "auto, manual or watcher");
  expect("project", text("project") !== "", "the path of the project's folder");
  expect("session_id", fields.has("session_id"), "the session's id");
  expect("iteration", Number.isSafeInteger(iteration) && iteration >= 1, "a whole number from 1");
  expect("verified", typeof verified === "boolean", "true or false");
  expect("usage_percent", isPercent, "a number of percent, or null");
  if (problems.length > before || trigger === undefined) return null;
  return {
    id: text("id") || idOfTime(new Date(created)),
    created,
    trigger,
    project: text("project"),
    session_id: text("session_id"),
    iteration,
    verified: verified === true,
    usage_percent: typeof percent === "number" ? percent : null,
    parent: text("parent") || null,
    ...(text("partial") === "" ? {} : { partial: text("partial") }),
    ...(text("summary") === "" ? {} : { summary: text("summary") }),
  };
}

export function idOfTime(time: Date): string {
  const iso = time.toISOString();
  return `${iso.slice(0, 10)}-${iso.slice(11, 19).replaceAll(":", "")}`;
}
