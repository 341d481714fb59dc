/** Handoffs: what the next session must know, in five sections. */

import { boundText } from "../inject/bound.ts";
import { shownPath } from "../saved/checkpoint/change_lines.ts";
import { isByHand, oneLine } from "../saved/checkpoint/item.ts";
import { quoteLine } from "../inject/plain_markdown.ts";
import type { FileChange, NextStep, WorkState } from "../extract/work_state.ts";
import { HANDOFF_SECTIONS } from "./handoff_sections.ts";

export interface Handoff {
  readonly current_task: readonly string[];
  readonly key_decisions: readonly string[];
  readonly modified_files: readonly string[];
  /** Steps to do, in order. */
  readonly next_steps: readonly string[];
  readonly critical_context: readonly string[];
}

interface HandoffOptions {
  /** The folder of the project: paths inside it are shown without it. */
  readonly projectDir: string;
  /** The handoff has fewer words, headings and all. @default {500} */
  readonly maxWords?: number;
}

export const MAX_HANDOFF_WORDS = 500;

/** With fewer words there is no room for what must be in a handoff. */
const MIN_WORDS = 100;

/** Words of languages without spaces are counted by this, in UTF-16 code units. */
const CHARS_A_WORD = 12;

/** No more of a line is looked at, in UTF-16 code units. */
const MAX_LINE_CHARS = 6_000;

/** Fewest files that a handoff names, and most lines of other kinds. */
const TOP_FILES = 5;
const MAX_FILES = 12;
const MAX_ITEMS = 5;

/** What looks like the name of a file; a note on one file is not to name another. */
const PATH_LIKE = /[\w)\]][./\\][\w(]|[/\\]/;

/** Most words of each kind of line, the longest first. */
const LIMITS = [
  { request: 150, step: 60 },
  { request: 100, step: 25 },
  { request: 60, step: 12 },
  { request: 40, step: 8 },
  { request: 25, step: 5 },
  { request: 12, step: 3 },
  { request: 10, step: 2 },
] as const;

const NOTHING = "None recorded";

const NO_STEPS = "None recorded: go on from the last request.";

/** Instructions to the model under each heading of the template. */
const HINTS: readonly string[] = [
  "The goal and where it stands, in one or two sentences.",
  "At most 5, a line each: what was decided, and why.",
  "A line for each file: what was done to it.",
  "What to do next, numbered, the first first.",
  "What the next session cannot do without: blockers, traps, findings.",
];

const FIELDS = [
  "current_task",
  "key_decisions",
  "modified_files",
  "next_steps",
  "critical_context",
] as const satisfies readonly (keyof Handoff)[];

type Draft = { [Field in keyof Handoff]: string[] };

/** The last request, open items and five most edited files in any case; of all else what has room. */
export function handoffFromState(state: WorkState, options: HandoffOptions): string {
  return handoffText(handoffOf(state, options));
}

/** Makes a handoff for the model to complete: the same, with a hint under each heading. */
export function handoffTemplate(state: WorkState, options: HandoffOptions): string {
  return handoffText(handoffOf(state, options), HINTS);
}

function handoffOf(state: WorkState, options: HandoffOptions): Handoff {
  const { projectDir, maxWords = MAX_HANDOFF_WORDS } = options;
  if (!(maxWords >= MIN_WORDS)) {
    throw new RangeError(`Cannot make handoff: ${maxWords} words, expected at least ${MIN_WORDS}`);
  }
  const files = editedFiles(state, projectDir);
  const drafts = LIMITS.map((limits) => mustHave(state, files, limits));
  const draft = drafts.find((one) => hasRoom(one, maxWords)) ?? drafts.at(-1) ?? empty();
  leaveOut(draft, maxWords);
  for (const [field, line] of niceToHave(state, files, projectDir)) {
    const isKnown = FIELDS.some((name) => draft[name].includes(line));
    if (line === "" || isKnown) continue;
    draft[field].push(line);
    if (!hasRoom(draft, maxWords)) draft[field].pop();
  }
  return draft;
}

/** Sections without which a handoff is worth nothing. */
function mustHave(
  state: WorkState,
  files: readonly string[],
  limits: typeof LIMITS[number],
): Draft {
  const request = lastRequest(state);
  const open = state.next_steps.filter(({ status }) => status !== "completed");
  return {
    ...empty(),
    current_task: request === "" ? [] : [`Last request: ${cutWords(request, limits.request)}`],
    modified_files: files.slice(0, TOP_FILES),
    next_steps: open.map((step) => stepLine(step, limits.step)),
  };
}

/** The rest, what is missed most first. */
function niceToHave(
  state: WorkState,
  files: readonly string[],
  projectDir: string,
): [keyof Handoff, string][] {
  const { requirements, progress, decisions, issues, learnings, commits } = state;
  const first = requirements[0]?.text ?? "";
  const goal = first === lastRequest(state) ? "" : cutWords(first, 60);
  // Where the work stopped tells it at length.
  const answer = state.trail === undefined ? cutWords(progress.recent.at(-1)?.text ?? "", 80) : "";
  const notes = state.changes.filter(({ from }) => isByHand(from));
  return [
    ["current_task", goal === "" ? "" : `First request: ${goal}`],
    ["current_task", answer === "" ? "" : `Last answer: ${answer}`],
    ...issues.slice(0, MAX_ITEMS).map(({ issue }) =>
      ["critical_context", `Open: ${cutWords(issue, 30)}`] as [keyof Handoff, string]
    ),
    ...decisions.slice(0, MAX_ITEMS).map(({ decision, rationale }) => {
      const why = cutWords(rationale, 20);
      const line = `${cutWords(decision, 30)}${why === "" ? "" : ` (why: ${why})`}`;
      return ["key_decisions", line] as [keyof Handoff, string];
    }),
    ...notes.slice(0, MAX_ITEMS).map((note) => {
      const line = `Noted: ${cutWords(note.what || note.why, 25)}`;
      return ["critical_context", line] as [keyof Handoff, string];
    }),
    ...learnings.slice(0, MAX_ITEMS).map(({ text }) =>
      ["critical_context", cutWords(text, 30)] as [keyof Handoff, string]
    ),
    ...files.slice(TOP_FILES, MAX_FILES).map((line) =>
      ["modified_files", line] as [keyof Handoff, string]
    ),
    ...commits.slice(0, MAX_ITEMS).map(({ hash, message }) => {
      const line = `Committed: ${`${hash} ${cutWords(message, 15)}`.trim()}`;
      return ["critical_context", line] as [keyof Handoff, string];
    }),
    ["critical_context", partialLine(state, projectDir)],
  ];
}

function partialLine({ partial }: WorkState, projectDir: string): string {
  return partial === "" ? "" : `Not all is known: ${cutWords(partial, 30)} (in ${projectDir})`;
}

/** The user's words; a note by hand is none of them. */
function lastRequest({ requirements }: WorkState): string {
  return (requirements.findLast(({ from }) => !isByHand(from)) ?? requirements.at(-1))?.text ?? "";
}

/** Files, the one edited most first; of those edited as often the one edited last. */
function editedFiles({ changes }: WorkState, projectDir: string): string[] {
  const byPath = new Map<string, FileChange>();
  for (const change of changes) {
    if (isByHand(change.from)) continue;
    const path = shownPath(change.file, projectDir);
    const known = byPath.get(path);
    if (path === "") continue;
    const count = (known?.count ?? 0) + change.count;
    byPath.set(path, { ...change, ...known, count });
  }
  return [...byPath].sort(([, a], [, b]) => b.count - a.count).map(([path, change]) => {
    const times = change.count === 1 ? "1 edit" : `${change.count} edits`;
    const isSafe = change.what !== "" && !PATH_LIKE.test(change.what);
    return `${path}: ${change.action}, ${times}${isSafe ? `; ${cutWords(change.what, 12)}` : ""}`;
  });
}

function stepLine({ step, status }: NextStep, maxWords: number): string {
  return cutWords(step, maxWords) + (status === "in_progress" ? " (in progress)" : "");
}

/** What must be there is left out only where a hundred of them have no room; it is said. */
function leaveOut(draft: Draft, maxWords: number): void {
  let left = 0;
  const note = (): string[] => left === 0 ? [] : [`(${left} more in the todo list)`];
  while (!hasRoom({ ...draft, next_steps: [...draft.next_steps, ...note()] }, maxWords)) {
    if (draft.next_steps.length > 0) left++;
    if (draft.next_steps.pop() === undefined && draft.modified_files.pop() === undefined) break;
  }
  draft.next_steps.push(...note());
}

function hasRoom(draft: Handoff, maxWords: number): boolean {
  const text = handoffText(draft);
  return countWords(text) < maxWords && text.length <= maxWords * CHARS_A_WORD;
}

function handoffText(handoff: Handoff, hints: readonly string[] = []): string {
  return FIELDS.map((field, index) => {
    const items = handoff[field].map((line, at) =>
      `${field === "next_steps" ? `${at + 1}.` : "-"} ${quoteLine(line)}`
    );
    const hint = hints[index] === undefined ? [] : [`<!-- ${hints[index]} -->`];
    const nothing = field === "next_steps" && handoff.current_task.length > 0 ? NO_STEPS : NOTHING;
    const lines = items.length === 0 ? [nothing] : items;
    return [`### ${HANDOFF_SECTIONS[index]}`, ...hint, ...lines].join("\n");
  }).join("\n\n");
}

function empty(): Draft {
  return {
    current_task: [],
    key_decisions: [],
    modified_files: [],
    next_steps: [],
    critical_context: [],
  };
}

/** The beginning of a text as one line, an ellipsis where something is cut off. */
function cutWords(text: string, maxWords: number): string {
  const words = oneLine(text, MAX_LINE_CHARS).split(" ").filter((word) => word !== "");
  const kept = words.slice(0, maxWords).join(" ");
  const bound = boundText(kept, maxWords * CHARS_A_WORD);
  return words.length > maxWords || bound !== kept ? `${bound.trimEnd()}…` : kept;
}

/** Counts words: what stands between spaces, marks of Markdown too. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
