/** The lines of each part of the layout. */

import { boundText } from "../inject/bound.ts";
import { folderLines } from "../inject/folder_lines.ts";
import { cutEnds } from "../extract/ends.ts";
import type { Issue, NextStep, Said, Trail, WorkState } from "../extract/work_state.ts";
import { shownPath } from "./checkpoint/change_lines.ts";
import { isByHand, oneLine, originText, unguardStart } from "./checkpoint/item.ts";
import { decisionLine, issueLine, saidLine } from "./checkpoint/lines.ts";

export type PartName =
  | "Now"
  | "Task"
  | "Key Decisions"
  | "Active Issues"
  | "Next Steps"
  | "Refused or Corrected"
  | "Files"
  | "Commands"
  | "Git"
  | "Learnings"
  | "Names"
  | "Where It Stopped";

export interface Part {
  readonly lines: readonly string[];
  /** Number of lines left out. */
  readonly left: number;
}

interface PartOptions {
  readonly room: number;
  readonly shown: Shown;
  /** Whether steps that went well are told in short. */
  readonly isShort: boolean;
  /** Whether the newest request stands above. */
  readonly hasNow: boolean;
}

/** Characters kept of the last prompts, of those before, of the first, and of all others. */
const LAST_PROMPTS = { count: 2, maxChars: 1_300 };
const LATER_PROMPTS = { count: 4, maxChars: 620 };
const FIRST_PROMPT_CHARS = 900;
const OTHER_PROMPT_CHARS = 360;

/** In short, of prompts but the last and the first. */
const SHORT_PROMPT_PART = 3 / 4;

/** A shorter reply says nothing without the question, of which so much is told. */
const REPLY_CHARS = 200;
const QUESTION_CHARS = 700;

/** Share of a part's room for files that were only read. */
const READ_PART = 1 / 4;

const MAX_NOTES = 4;
const MAX_COMMITS = 6;
const MAX_LINKS = 3;

/** The most UTF-16 code units of a line of these. */
const MAX_STEP_CHARS = 160;
const MAX_ACT_CHARS = 420;
const MAX_COMMIT_CHARS = 100;

/** In short, the most UTF-16 code units of a call that went well. */
const MAX_CALL_CHARS = 100;

/** By so much of its beginning a command is found in what is shown already. */
const COMMAND_KEY_CHARS = 40;

/** Less of a line than this is not worth its room, in UTF-16 code units. */
const MIN_LINE_CHARS = 80;

const USER = "User: ";
const ASSISTANT = "Assistant: ";

/** Steps that only look; that they went well tells nothing. */
const LOOK_UP =
  /^(Grep|Read|Glob|Skill|LSP|WebFetch|WebSearch|Bash (?:git (?:status|diff|log|show|branch|rev-parse|remote)|ls|cat|grep|rg|find|head|tail|wc|pwd|sed -n))\b/;

const FAILED = / → failed|failed: /;

/** Commands of which nobody needs to know how they ended. */
const LOOK_UP_COMMAND =
  /\bgit (?:log|rev-parse|symbolic-ref|ls-files|config|remote|check-ignore|ls-tree|merge-base|branch)\b|\bgh (?:api|pr list|pr view|search)\b/;

export function partOf(name: PartName, state: WorkState, options: PartOptions): Part {
  const { trail } = state;
  const { room, shown, isShort } = options;
  switch (name) {
    case "Now":
      return fitted(nowLines(state, shown), room);
    case "Task":
      return taskPart(state.requirements, options);
    case "Key Decisions":
      return fitted(decisionLines(state, shown, isShort), room);
    case "Active Issues":
      return fitted(
        issuesBesides(state).map((one) => shown.line(unguardStart(issueLine(one)))),
        room,
      );
    case "Next Steps":
      return fitted(stepLines(state.next_steps), room);
    case "Refused or Corrected":
      return fitted((trail?.refused ?? []).map(({ text }) => shown.fresh(text)), room);
    case "Files":
      return { lines: fileLines(state, room, shown.projectDir), left: 0 };
    case "Commands":
      return fitted(commandLines(trail, shown), room);
    case "Git":
      return fitted(gitLines(state), room);
    case "Learnings":
      return fitted(state.learnings.map((one) => shown.line(saidLine(one))), room);
    case "Names":
      return { lines: nameLines(trail?.names ?? [], room, shown), left: 0 };
    case "Where It Stopped":
      return stoppedPart(trail, options);
  }
}

/** Words and names that stand in the text already. */
export class Shown {
  readonly projectDir: string;
  #words = "";
  #lines = "";

  constructor(projectDir: string) {
    this.projectDir = projectDir;
  }

  /** Shows a line: paths of the project without its folder. */
  line(whole: string): string {
    const text = whole.replace(/,? ?\(?source unknown\)$/, (end) => end.startsWith(",") ? ")" : "");
    const base = this.projectDir.replace(/[/\\]+$/, "");
    if (base === "") return text;
    // A longer name with the project's folder as its prefix is another folder.
    const [first = "", ...rest] = text.replaceAll(`${base}/`, "").split(base);
    return rest.reduce((done, part) => {
      return `${done}${/^(?:[\w-]|\.\w)/.test(part) ? base : "."}${part}`;
    }, first);
  }

  note(text: string): void {
    this.#words += ` ${plain(text)}`;
  }

  noteNames(lines: readonly string[]): void {
    this.#lines += lines.join("\n");
  }

  has(name: string): boolean {
    return this.#lines.includes(name);
  }

  /** Shows a line unless its words stand above already. */
  fresh(text: string): string {
    const words = plain(text.replace(/^"|"$/g, "")).slice(0, 60);
    if (words.length > 12 && this.#words.includes(words)) return "";
    this.note(text);
    return this.line(text);
  }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The newest request with the question that it answers, the last act, and what comes next. */
function nowLines({ requirements, next_steps: steps, trail }: WorkState, shown: Shown): string[] {
  const asked = newestOf(requirements);
  const stopped = (trail?.stopped ?? []).map(({ text }) => text);
  const at = stopped.findLastIndex((text) => text.startsWith(USER));
  const reply = stopped[at]?.slice(USER.length) ?? "";
  const before = stopped.slice(0, Math.max(at, 0)).findLast((text) => text.startsWith(ASSISTANT));
  const isReply = reply !== "" && reply.length <= REPLY_CHARS && before !== undefined;
  const isAsked = asked !== undefined && plain(asked.text).startsWith(plain(reply));
  const act = stopped.findLast((text) =>
    !text.startsWith(USER) && !text.startsWith(ASSISTANT) && !isLookUp(text)
  );
  const next = steps.find(({ status }) => status === "in_progress") ??
    steps.find(({ status }) => status === "pending");
  if (asked !== undefined) shown.note(asked.text);
  return [
    asked === undefined ? "" : promptText(asked, LAST_PROMPTS.maxChars),
    isReply && !isAsked ? `Then the user said: ${reply}` : "",
    isReply
      ? `That answers: ${cutEnds(before.slice(ASSISTANT.length), QUESTION_CHARS, 1 / 4)}`
      : "",
    act === undefined ? "" : `Last act: ${cutEnds(act, MAX_ACT_CHARS)}`,
    next === undefined ? "" : `Next: ${oneLine(next.step, MAX_STEP_CHARS)}`,
  ].map((line) => shown.line(line));
}

/** The user's words; a note by hand is none of them. */
export function newestOf(requirements: readonly Said[]): Said | undefined {
  return requirements.findLast(({ from }) => !isByHand(from)) ?? requirements.at(-1);
}

/** The user's words, newest last: the last two nearly whole, the first and some before them cut. */
function taskPart(
  all: readonly Said[],
  { room, shown, isShort, hasNow }: PartOptions,
): Part {
  const newest = hasNow ? newestOf(all) : undefined;
  const requirements = all.filter((one) => one !== newest);
  const kept = new Map<number, string>();
  let left = room;
  const last = requirements.length - 1;
  const take = (index: number, maxChars: number): boolean => {
    const said = requirements[index];
    if (said === undefined || kept.has(index)) return true;
    const isFirst = index === 0 && all.length > 1;
    const bound = Math.min(maxChars, Math.max(left, 200));
    const line = `- ${isFirst ? "(first) " : ""}${promptText(said, bound)}`;
    if (line.length > left && kept.size >= LAST_PROMPTS.count) return false;
    left -= line.length + 1;
    kept.set(index, line);
    shown.note(said.text);
    return true;
  };
  // Where few were said, each may have its part of all the room.
  const maxChars = Math.max(
    LAST_PROMPTS.maxChars,
    requirements.length <= LAST_PROMPTS.count ? Math.floor(room / requirements.length) : 0,
  );
  for (let at = last; at > last - LAST_PROMPTS.count; at--) take(at, maxChars);
  take(0, Math.min(FIRST_PROMPT_CHARS, Math.max(300, left * 0.6)));
  const later = last - LAST_PROMPTS.count - LATER_PROMPTS.count;
  for (let at = last - LAST_PROMPTS.count; at > 0; at--) {
    const most = at > later ? LATER_PROMPTS.maxChars : OTHER_PROMPT_CHARS;
    if (!take(at, isShort ? most * SHORT_PROMPT_PART : most)) break;
  }
  return {
    lines: room <= 0 ? [] : withGaps(kept, requirements.length).map((line) => shown.line(line)),
    left: requirements.length - kept.size,
  };
}

function promptText({ text, from }: Said, maxChars: number): string {
  const words = oneLine(text, Infinity);
  const cut = cutEnds(words, maxChars);
  const isTold = from.uuid !== null || from.line !== null;
  return `${cut}${isTold && (cut !== words || isByHand(from)) ? ` (${originText(from)})` : ""}`;
}

/** The lines in their order, with a note on those between them that have no room. */
function withGaps(kept: ReadonlyMap<number, string>, count: number): string[] {
  const lines: string[] = [];
  let missing = 0;
  for (let at = 0; at < count; at++) {
    const line = kept.get(at);
    if (line === undefined) missing++;
    if (line === undefined) continue;
    if (missing > 0) lines.push(`(${missing} more between)`);
    missing = 0;
    lines.push(line);
  }
  return lines;
}

/** A decision that only repeats what the user is quoted with is none that is missed. */
function decisionLines({ decisions }: WorkState, shown: Shown, isShort: boolean): string[] {
  // A summary leaves out what was answered in a dialog.
  return decisions.filter(({ kind }) => !isShort || kind === "answer").map((decision) =>
    shown.line(shown.fresh(decision.decision) === "" ? "" : decisionLine(decision))
  );
}

function stepLines(steps: readonly NextStep[]): string[] {
  const open = steps.filter(({ status }) => status !== "completed");
  const done = steps.length - open.length;
  const lines = open.map(({ step, status, from }) => {
    const hand = isByHand(from) ? ` (${originText(from)})` : "";
    const active = status === "in_progress" ? " (in progress)" : "";
    return `[ ] ${oneLine(step, MAX_STEP_CHARS)}${active}${hand}`;
  });
  return open.length === 0 || done === 0
    ? lines
    : [...lines, `${done} ${done === 1 ? "step is" : "steps are"} done.`];
}

/** Commands that fail stand with all the others, where those are known. */
function issuesBesides({ issues, trail }: WorkState): readonly Issue[] {
  return (trail?.commands.length ?? 0) === 0
    ? issues
    : issues.filter(({ kind }) => kind !== "command");
}

/** Files by folder: those that were changed before those that were only read. */
function fileLines(state: WorkState, room: number, projectDir: string): readonly string[] {
  const { trail } = state;
  const changes = state.changes.filter(({ from }) => !isByHand(from));
  const notes = state.changes.filter(({ from, what }) => isByHand(from) && what !== "");
  const edited = changes.map(({ file, count }) =>
    shownPath(file, projectDir) + (count > 1 ? ` (${count} edits)` : "")
  );
  const known = new Set(changes.map(({ file }) => shownPath(file, projectDir)));
  const read = (trail?.read ?? []).map((file) => shownPath(file, projectDir))
    .filter((file) => !known.has(file));
  const plans = (trail?.plans ?? []).map((file) => shownPath(file, projectDir)).join(", ");
  const lines = folderLines(edited, room * (1 - READ_PART));
  const others = folderLines(read, Math.max(room * READ_PART, room - linesSize(lines) - 100));
  return room < MIN_LINE_CHARS ? [] : [
    ...notes.slice(0, MAX_NOTES).map(({ what, from }) =>
      `- ${oneLine(what, MAX_STEP_CHARS)} (${originText(from)})`
    ),
    ...(lines.length === 0 ? [] : ["Changed, newest first:", ...lines]),
    ...(others.length === 0 ? [] : ["Only read, newest first:", ...others]),
    ...(plans === "" ? [] : [`Plan: ${plans}`]),
  ];
}

function gitLines({ trail, commits }: WorkState): string[] {
  return [
    trail === undefined || trail.branch === "" ? "" : `branch ${trail.branch}`,
    ...(trail?.links ?? []).slice(0, MAX_LINKS),
    ...commits.slice(0, MAX_COMMITS).map(({ hash, message }) =>
      `commit ${hash === "" ? "" : `${hash} `}${oneLine(message, MAX_COMMIT_CHARS)}`
    ),
  ];
}

/** The outcome of commands, without look-ups and those among the last steps. */
function commandLines(trail: Trail | undefined, shown: Shown): string[] {
  return (trail?.commands ?? []).map(({ text }) => shown.line(text)).filter((line) => {
    const words = /^`([^`]*?)…?`/.exec(line)?.[1] ?? line;
    const isQuiet = LOOK_UP_COMMAND.test(words) && !FAILED.test(line);
    return !isQuiet && !shown.has(words.slice(0, COMMAND_KEY_CHARS));
  });
}

function nameLines(names: readonly string[], room: number, shown: Shown): readonly string[] {
  let left = room;
  const kept = names.filter((name) => !shown.has(name)).filter((name) => {
    left -= name.length + 2;
    return left > 0;
  });
  return kept.length === 0 ? [] : [`- ${kept.join(", ")}`];
}

/** The newest steps that have room, newest last. */
function stoppedPart(trail: Trail | undefined, { room, shown, isShort }: PartOptions): Part {
  const steps = withoutLookUps((trail?.stopped ?? []).map(({ text }) => text));
  const kept: string[] = [];
  let left = room;
  for (const text of steps.toReversed()) {
    const isBrief = isShort && !text.startsWith(USER) && !text.startsWith(ASSISTANT) &&
      !FAILED.test(text);
    const line = `- ${cutEnds(shown.line(text), isBrief ? MAX_CALL_CHARS : Infinity)}`;
    if (line.length + 1 > left && (kept.length > 0 || left < MIN_LINE_CHARS)) break;
    kept.push(boundText(line, Math.max(left, 0)));
    left -= line.length + 1;
  }
  return { lines: kept.reverse(), left: steps.length - kept.length };
}

/** Puts calls in a row that only looked into one line. */
function withoutLookUps(steps: readonly string[]): string[] {
  const lines: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    const counts = new Map<string, number>();
    for (const step of run) {
      const name = /^\w+/.exec(step)?.[0] ?? "";
      // Files that were read in a row are one step.
      const count = name === "Read" ? step.split(", ").length : 1;
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
    const sum = [...counts.values()].reduce((all, count) => all + count, 0);
    const parts = [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
    if (run.length === 1) lines.push(...run);
    else if (run.length > 1) lines.push(`looked at ${sum} things: ${parts}`);
    run = [];
  };
  for (const step of steps) {
    if (isLookUp(step)) {
      run.push(step);
      continue;
    }
    close();
    lines.push(step);
  }
  close();
  return lines;
}

function isLookUp(step: string): boolean {
  return LOOK_UP.test(step) && !FAILED.test(step);
}

export function linesSize(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The first lines that have room, as items, with a count of those that have none. */
function fitted(lines: readonly string[], room: number): Part {
  const items = lines.filter((line) => line !== "").map((line) => `- ${line}`);
  let left = room;
  const end = items.findIndex((item) => (left -= item.length + 1) < 0);
  if (end < 0) return { lines: items, left: 0 };
  const more = items.length - end;
  const note = `(${more} more)`;
  const kept = items.slice(0, end);
  const spare = room - linesSize(kept) - note.length - 1;
  // The beginning of a long line is better than leaving it out.
  const begun = spare > MIN_LINE_CHARS ? [`${boundText(items[end] ?? "", spare - 2)}…`] : [];
  if (kept.length + begun.length === 0) return { lines: [], left: more };
  return { lines: [...kept, ...begun, ...(spare < 0 ? [] : [note])], left: more };
}
