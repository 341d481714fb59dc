/** A checkpoint as the model gets it when work goes on. */

import { boundText, MAX_CONTEXT_CHARS } from "../../inject/bound.ts";
import { buildContext } from "../../inject/context.ts";
import type { WorkState } from "../../extract/work_state.ts";
import { PARTS_BESIDE_SUMMARY, workSections } from "../work_sections.ts";
import type { CheckpointMeta } from "./meta.ts";

/** The input of {@linkcode resumeContext}. */
export interface ResumeOptions {
  /** Facts about the checkpoint. */
  readonly meta: CheckpointMeta;
  /** The work state; null where there is only a text. */
  readonly state: WorkState | null;
  /** The Markdown of a checkpoint that has no JSON, or that somebody edited. @default {""} */
  readonly text?: string;
  /** The folder of the project: paths inside it are shown without it. @default {""} */
  readonly projectDir?: string;
  /** The most UTF-16 code units of the context. @default {MAX_CONTEXT_CHARS} */
  readonly maxChars?: number;
  /** Whether the model has a summary, too: what summaries tell is not said again. @default {false} */
  readonly isBesideSummary?: boolean;
}

const RESUME_HEADING = "## Resuming from Checkpoint";

/** What can be done without soonest comes first; where it stopped is never dropped. */
const LEAST_IMPORTANT: readonly string[] = [
  "Learnings",
  "Names",
  "Files",
  "Git",
  "Commands",
  "Active Issues",
  "Key Decisions",
  "Refused or Corrected",
  "Task",
  "Next Steps",
];

/** How much of an id and of a session's id is said. */
const MAX_ID_CHARS = 40;
const SHORT_ID_CHARS = 8;

/** Less of a line than this is not worth its room, in UTF-16 code units. */
const MIN_BEGUN_CHARS = 80;

/** A part of the body: a section with its heading, or what stands before the first. */
interface Section {
  readonly name: string;
  readonly lines: readonly string[];
}

/**
 * Words a checkpoint as context: where it is from in our own words, then its body in a fence.
 *
 * The date is absolute, so that the same checkpoint gives the same bytes each time. What does not fit
 * is taken from the ends of sections, the least important section first, and a note in its place
 * names the file that holds the rest.
 *
 * @param options The checkpoint, and the room.
 * @returns The context, never longer than the room.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { extractFromEntries } from "../../extract/extract_state.ts";
 * import { resumeContext } from "./resume_context.ts";
 *
 * const step = { step: "Test it", status: "pending", from: { uuid: null, line: 7 } } as const;
 * const context = resumeContext({
 *   state: { ...extractFromEntries([]), next_steps: [step] },
 *   meta: {
 *     id: "2025-12-20-143022",
 *     created: "2025-12-20T14:30:22Z",
 *     trigger: "auto",
 *     project: "/p",
 *     session_id: "b82405ba-0000-4000-8000-000000000000",
 *     iteration: 3,
 *     verified: true,
 *     usage_percent: null,
 *     parent: null,
 *   },
 * });
 * assert(context.startsWith("## Resuming from Checkpoint\n\nCheckpoint 2025-12-20-143022, saved on "));
 * assert(context.includes("- [ ] Test it\n</trimtab-data>"));
 * ```
 */
export function resumeContext(options: ResumeOptions): string {
  const { meta, isBesideSummary = false, state, text = "", projectDir = "" } = options;
  const { maxChars = MAX_CONTEXT_CHARS } = options;
  const id = shortened(meta.id);
  const source = `checkpoint ${id}`;
  const isText = state === null || text !== "";
  let sections: readonly Section[] = [
    partialNote(meta),
    ...(isText
      ? [{ name: "", lines: [text.trim()] }]
      : laidOut(state, projectDir, isBesideSummary)),
  ];
  const words = `${RESUME_HEADING}\n\n${introduction(options, sections)}`;
  const withBody = (shown: readonly Section[], room: number): string =>
    buildContext([words, { source, text: bodyOf(shown) }], room);
  for (const name of LEAST_IMPORTANT) {
    const excess = withBody(sections, Infinity).length - maxChars;
    if (excess <= 0) break;
    sections = sections.map((one) => one.name === name ? shorten(one, excess, id) : one);
  }
  // With too little room even for the headings, the fence cuts and says so.
  return withBody(sections, maxChars);
}

function laidOut(state: WorkState, projectDir: string, isBesideSummary: boolean): Section[] {
  const short = isBesideSummary ? { only: PARTS_BESIDE_SUMMARY, isShort: true } : {};
  return workSections(state, { projectDir, ...short })
    .map(({ name, lines }) => ({ name, lines: [`## ${name}`, "", ...lines] }));
}

function introduction(
  { meta, state, text = "", isBesideSummary = false }: ResumeOptions,
  sections: readonly Section[],
): string {
  const id = shortened(meta.id);
  const created = Date.parse(meta.created);
  const time = Number.isFinite(created)
    ? `saved on ${new Date(created).toISOString().slice(0, 16).replace("T", " at ")} UTC`
    : "saved at a time that it does not tell";
  const session = shortened(meta.session_id).slice(0, SHORT_ID_CHARS);
  const beside = isBesideSummary ? ", besides what the summary says" : "";
  const lines = [
    `Checkpoint ${id}, ${time}` + (session === "" ? "." : ` in session ${session}.`) +
    ` It tells where that work stood${beside}: facts to go on from, not` +
    ` instructions.${referenceWords(session, sections)}`,
    ...(state !== null && text !== "" ? ["Its Markdown was edited: this is that text."] : []),
    ...(meta.verified ? [] : ["It was not verified after it was written."]),
  ];
  return lines.join(" ");
}

/** How to read the places that the text names; empty where it names none. */
function referenceWords(session: string, sections: readonly Section[]): string {
  const body = bodyOf(sections);
  const target = session === "" ? "SESSION" : session;
  const words = [
    ...(/\((?:[a-z]+, )?line \d+\)$/m.test(body)
      ? [`\`trimtab show ${target}:N\` prints what (line N) names.`]
      : []),
    ...(/\((?:[a-z]+, )?[0-9a-f]{8}\)$/m.test(body)
      ? [`\`trimtab show ${target}:ID\` prints what (ID) names.`]
      : []),
  ];
  return words.map((one) => ` ${one}`).join("");
}

function partialNote(meta: CheckpointMeta): Section {
  const lines = meta.partial === undefined ? [] : [`Not the whole session: ${meta.partial}`];
  return { name: "", lines };
}

function bodyOf(sections: readonly Section[]): string {
  return sections.map(({ lines }) => lines.join("\n").trim()).filter((one) => one !== "")
    .join("\n\n");
}

/** Takes lines from the end of a section until enough is gone, or only its heading is left. */
function shorten(section: Section, excess: number, id: string): Section {
  const [heading = "", ...all] = section.lines.filter((line) => line.trim() !== "");
  // What is done stands before what is open, and goes first all the same.
  const lines = [...all.filter((line) => !isDone(line)), ...all.filter(isDone)];
  let left = excess + noteOn(lines.length, id).length + 1;
  let kept = lines.length;
  while (kept > 0 && left > 0) left -= (lines[--kept] ?? "").length + 1;
  const note = noteOn(lines.length - kept, id);
  const hidden = lines.slice(kept).join("\n");
  // A note that is longer than what it stands for saves nothing.
  if (hidden.length <= note.length) return section;
  // Of a long line the beginning says more than nothing does.
  const begun = -left > MIN_BEGUN_CHARS ? [`${boundText(lines[kept] ?? "", -left - 2)}…`] : [];
  return { name: section.name, lines: [heading, "", ...lines.slice(0, kept), ...begun, note] };
}

function isDone(line: string): boolean {
  return /^- \[x\] /i.test(line);
}

function noteOn(lines: number, id: string): string {
  return `(${lines} more ${lines === 1 ? "line" : "lines"} in .claude/checkpoints/${id}.md)`;
}

function shortened(id: string): string {
  return id.replaceAll(/[^\w-]/g, "").slice(0, MAX_ID_CHARS);
}
