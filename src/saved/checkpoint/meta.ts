/** Facts about a checkpoint besides its work state. */

import type { ContextSnapshot, SaveReason } from "../snapshot/snapshot.ts";

/** Facts about a checkpoint besides its work state. */
export interface CheckpointMeta {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** When it was made: ISO 8601, UTC, to the second. */
  readonly created: string;
  /** The reason for the save. */
  readonly trigger: SaveReason;
  /** The folder of the project. */
  readonly project: string;
  /** The session; empty where it is not known. */
  readonly session_id: string;
  /** The number of this checkpoint among all of the project, from 1. */
  readonly iteration: number;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** Percent of the limit in use, 0 to 100; null if unknown. */
  readonly usage_percent: number | null;
  /** The id of the session's checkpoint before this one. */
  readonly parent: string | null;
  /** Why it does not hold the whole session; missing where it does. */
  readonly partial?: string;
  /** The task and the count of files in a line; made from the state where it is missing. */
  readonly summary?: string;
}

export const TRIGGERS: readonly SaveReason[] = ["auto", "manual", "watcher"];

/** No more of a file's text is looked at for its front matter, in UTF-16 code units. */
const MAX_FRONT_CHARS = 32 * 1024;

const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

export function metaOfSave(save: ContextSnapshot): CheckpointMeta {
  return {
    id: save.snapshot_id,
    created: `${save.timestamp.slice(0, 19)}Z`,
    trigger: save.reason ?? "manual",
    project: save.project ?? "",
    session_id: save.session_id ?? "",
    iteration: save.iteration ?? 1,
    verified: save.verified === true,
    usage_percent: save.usage_percent ?? null,
    parent: save.parent ?? null,
    ...(save.partial === undefined ? {} : { partial: save.partial }),
    ...(save.summary === undefined ? {} : { summary: save.summary }),
  };
}

/** Reads the front matter of Markdown without JSON: of version 0.1.0, or of another tool. */
export function metaOfText(text: string, problems: string[] = []): CheckpointMeta | null {
  const [, front] = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_CHARS)) ?? [];
  if (front === undefined) {
    problems.push("Front matter is missing or does not end; save the checkpoint again.");
    return null;
  }
  const before = problems.length;
  const value = (name: string): string =>
    scalarOf(new RegExp(`^${name}:(.*)$`, "m").exec(front)?.[1]);
  const expect = (name: string, isRight: boolean, expected: string): void => {
    if (!isRight) problems.push(`Front matter needs \`${name}\`: ${expected}.`);
  };
  const created = value("created");
  const isTime = ISO_TIME.test(created) && Number.isFinite(Date.parse(created));
  const trigger = TRIGGERS.find((one) => one === value("trigger"));
  const iteration = Number(value("iteration") || NaN);
  const percent = value("usage_percent");
  expect("created", isTime, "a time such as 2025-12-20T14:30:22Z");
  expect("trigger", trigger !== undefined, "auto, manual or watcher");
  expect("project", value("project") !== "", "the path of the project's folder");
  expect("session_id", /^session_id:/m.test(front), "the session's id");
  expect("iteration", Number.isSafeInteger(iteration) && iteration >= 1, "a whole number from 1");
  expect("verified", /^(?:true|false)$/.test(value("verified")), "true or false");
  if (problems.length > before || trigger === undefined) return null;
  return {
    id: value("id") || idOfTime(new Date(created)),
    created,
    trigger,
    project: value("project"),
    session_id: value("session_id"),
    iteration,
    verified: value("verified") === "true",
    usage_percent: /^\d{1,3}(?:\.\d+)?$/.test(percent) ? Number(percent) : null,
    parent: value("parent") || null,
    ...(value("partial") === "" ? {} : { partial: value("partial") }),
    summary: value("summary"),
  };
}

/** The words of such Markdown, without its front matter and its last line. */
export function bodyOfText(text: string): string {
  return text.replace(FRONT_MATTER, "").replace(/^<!-- trimtab: .*-->\s*$/m, "");
}

export function idOfTime(time: Date): string {
  const iso = time.toISOString();
  return `${iso.slice(0, 10)}-${iso.slice(11, 19).replaceAll(":", "")}`;
}

/** A scalar as people and tools write it: JSON, or plain with a comment behind. */
function scalarOf(raw = ""): string {
  const text = raw.trim();
  const [quoted] = /^"(?:[^"\\]|\\.)*"/.exec(text) ?? [];
  if (quoted === undefined) return text.replace(/(?:^|\s)#.*$/, "").replace(/^(?:~|null)$/, "");
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
