/** A work state in the order of its use: where it stopped stands last and is never dropped. */

import { boundText } from "../inject/bound.ts";
import { cutEnds } from "../extract/ends.ts";
import type { Decision, Issue, NextStep, Said, Trail, WorkState } from "../extract/work_state.ts";
import { shownPath } from "./checkpoint/change_lines.ts";
import { isByHand, oneLine, originText, unguardStart } from "./checkpoint/item.ts";
import { decisionLine, issueLine, saidLine } from "./checkpoint/lines.ts";
import { folderLines } from "../inject/folder_lines.ts";

const PARTS = [
  "Task",
  "Refused or Corrected",
  "Key Decisions",
  "Next Steps",
  "Active Issues",
  "Learnings",
  "Commands",
  "Files",
  "Git",
  "Names",
  "Where It Stopped",
] as const;

type PartName = typeof PARTS[number];

/** The parts that stand next to a summary or a snapshot's own fields. */
export const TRAIL_PARTS: readonly PartName[] = [
  "Task",
  "Refused or Corrected",
  "Commands",
  "Files",
  "Git",
  "Names",
  "Where It Stopped",
];

/** Parts for a model that has a summary, which tells what was decided, found out and left open. */
export const PARTS_BESIDE_SUMMARY: readonly PartName[] = PARTS.filter((name) =>
  name !== "Key Decisions" && name !== "Active Issues" && name !== "Learnings"
);

interface WorkSection {
  /** Its name; empty for lines without a heading. */
  readonly name: string;
  readonly lines: readonly string[];
}

interface WorkSectionOptions {
  /** The folder of the project: paths inside it are shown without it. */
  readonly projectDir: string;
  readonly only?: readonly PartName[];
  /** How much of its room each part has, 1 for all of it. @default {1} */
  readonly scale?: number;
  /** Whether what is done and what went well is told in short. @default {false} */
  readonly isShort?: boolean;
}

/** The most UTF-16 code units of each part at its full length. */
const ROOMS: { readonly [name in PartName]: number } = {
  "Task": 4_200,
  "Refused or Corrected": 800,
  "Key Decisions": 900,
  "Next Steps": 700,
  "Active Issues": 500,
  "Learnings": 600,
  "Commands": 1_100,
  "Files": 1_600,
  "Git": 400,
  "Names": 600,
  "Where It Stopped": 3_000,
};

/** How much is kept of the last prompts, of those before, of the first, and of all others. */
const LAST_PROMPTS = { count: 2, maxChars: 1_300 };
const LATER_PROMPTS = { count: 4, maxChars: 620 };
const FIRST_PROMPT_CHARS = 900;
const OTHER_PROMPT_CHARS = 360;

/** Of the rooms, files that were only read have this part. */
const READ_PART = 1 / 4;

/** How many steps that are done are named, and how many commits and links. */
const MAX_DONE = 4;
const MAX_COMMITS = 6;
const MAX_LINKS = 3;

/** The most UTF-16 code units of a line of these. */
const MAX_STEP_CHARS = 160;
const MAX_DONE_CHARS = 60;
const MAX_COMMIT_CHARS = 100;

/** In short, the most UTF-16 code units of a call that went well. */
const MAX_CALL_CHARS = 100;

/** In short, this part of the room of where it stopped, and of prompts but the last and the first. */
const SHORT_PART = 5 / 6;
const SHORT_PROMPT_PART = 3 / 4;

/** By so much of its beginning a command is found in what is shown already. */
const COMMAND_KEY_CHARS = 40;

/** Lays a work state out. A part of which nothing is known is left out. */
export function workSections(state: WorkState, options: WorkSectionOptions): WorkSection[] {
  const { only = PARTS, scale = 1, projectDir, isShort = false } = options;
  const shown = new Shown(projectDir);
  // What is shown already is not said again, by commands and names least of all.
  const lines = new Map<PartName, readonly string[]>();
  const last: readonly PartName[] = ["Where It Stopped", "Commands", "Names"];
  const inTurn = [...PARTS.filter((name) => !last.includes(name)), ...last];
  for (const name of inTurn.filter((one) => only.includes(one))) {
    const part = partOf(name, state, { room: ROOMS[name] * scale, shown, isShort });
    lines.set(name, part);
    shown.noteNames(part);
  }
  return PARTS.map((name) => ({ name, lines: lines.get(name) ?? [] }))
    .filter((part) => part.lines.length > 0);
}

interface Layout {
  readonly room: number;
  readonly shown: Shown;
  readonly isShort: boolean;
}

function partOf(name: PartName, state: WorkState, layout: Layout): readonly string[] {
  const { trail } = state;
  const { room, shown, isShort } = layout;
  switch (name) {
    case "Task":
      return taskLines(state.requirements, layout);
    case "Refused or Corrected":
      return fitted((trail?.refused ?? []).map((one) => shown.fresh(one.text)), room);
    case "Key Decisions":
      return fitted(state.decisions.map((one) => decisionOf(one, shown)), room);
    case "Next Steps":
      return stepLines(state.next_steps, room, isShort);
    case "Active Issues":
      return fitted(
        issuesBesides(state).map((one) => shown.line(unguardStart(issueLine(one)))),
        room,
      );
    case "Learnings":
      return fitted(state.learnings.map((one) => shown.line(saidLine(one))), room);
    case "Commands":
      return fitted(commandLines(trail, shown), room);
    case "Files":
      return fileLines(state, room, shown.projectDir);
    case "Git":
      return gitLines(state, room);
    case "Names":
      return nameLines(trail?.names ?? [], room, shown);
    case "Where It Stopped":
      return stoppedLines(trail, layout);
  }
}

class Shown {
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
    // What begins like the project's folder and goes on is the name of another.
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

/** The user's words, newest last: the last two nearly whole, the first and some before them cut. */
function taskLines(
  requirements: readonly Said[],
  { room, shown, isShort }: Layout,
): readonly string[] {
  const kept = new Map<number, string>();
  let left = room;
  const last = requirements.length - 1;
  const take = (index: number, maxChars: number): boolean => {
    const said = requirements[index];
    if (said === undefined || kept.has(index)) return true;
    const line = promptLine(said, Math.min(maxChars, Math.max(left, 200)), index === 0 && last > 0);
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
  return withGaps(kept, requirements.length).map((line) => shown.line(line));
}

function promptLine({ text, from }: Said, maxChars: number, isFirst: boolean): string {
  const words = oneLine(text, Infinity);
  const cut = cutEnds(words, maxChars);
  const isTold = from.uuid !== null || from.line !== null;
  const place = isTold && (cut !== words || isByHand(from)) ? ` (${originText(from)})` : "";
  return `- ${isFirst ? "(first) " : ""}${cut}${place}`;
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
function decisionOf(decision: Decision, shown: Shown): string {
  const line = shown.fresh(decision.decision) === "" ? "" : decisionLine(decision);
  return shown.line(line);
}

function stepLines(
  steps: readonly NextStep[],
  room: number,
  isShort: boolean,
): readonly string[] {
  const open = steps.filter(({ status }) => status !== "completed");
  const done = steps.filter(({ status }) => status === "completed");
  const lines = open.map(({ step, status, from }) => {
    const hand = isByHand(from) ? ` (${originText(from)})` : "";
    const active = status === "in_progress" ? " (in progress)" : "";
    return `[ ] ${oneLine(step, MAX_STEP_CHARS)}${active}${hand}`;
  });
  const named = (isShort ? [] : done.slice(-MAX_DONE)).map(({ step }) =>
    oneLine(step, MAX_DONE_CHARS)
  ).join("; ");
  const more = done.length > MAX_DONE ? `, ${done.length - MAX_DONE} more before` : "";
  return fitted([...lines, named === "" ? "" : `[x] ${named}${more}`], room);
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
  const others = folderLines(read, room * READ_PART);
  return [
    ...notes.slice(0, MAX_DONE).map(({ what, from }) =>
      `- ${oneLine(what, MAX_STEP_CHARS)} (${originText(from)})`
    ),
    ...(lines.length === 0 ? [] : ["Changed, newest first:", ...lines]),
    ...(others.length === 0 ? [] : ["Only read, newest first:", ...others]),
    ...(plans === "" ? [] : [`Plan: ${plans}`]),
  ];
}

function gitLines({ trail, commits }: WorkState, room: number): readonly string[] {
  return fitted([
    trail === undefined || trail.branch === "" ? "" : `branch ${trail.branch}`,
    ...(trail?.links ?? []).slice(0, MAX_LINKS),
    ...commits.slice(0, MAX_COMMITS).map(({ hash, message }) =>
      `commit ${hash === "" ? "" : `${hash} `}${oneLine(message, MAX_COMMIT_CHARS)}`
    ),
  ], room);
}

/** How commands ended, but for those that stand among the last steps. */
function commandLines(trail: Trail | undefined, shown: Shown): readonly string[] {
  return (trail?.commands ?? []).map(({ text }) => shown.line(text)).filter((line) => {
    const words = /^`([^`]*?)…?`/.exec(line)?.[1] ?? line;
    return !shown.has(words.slice(0, COMMAND_KEY_CHARS));
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
function stoppedLines(
  trail: Trail | undefined,
  { room, shown, isShort }: Layout,
): readonly string[] {
  const kept: string[] = [];
  let left = isShort ? room * SHORT_PART : room;
  for (const { text } of (trail?.stopped ?? []).toReversed()) {
    const isBrief = isShort && !/^(?:User|Assistant): | → failed/.test(text);
    const line = `- ${cutEnds(shown.line(text), isBrief ? MAX_CALL_CHARS : Infinity)}`;
    if (line.length + 1 > left && kept.length > 0) break;
    kept.push(boundText(line, Math.max(left, 0)));
    left -= line.length + 1;
  }
  return kept.reverse();
}

/** The first lines that have room, as items. */
function fitted(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const items = lines.filter((line) => line !== "").map((line) => `- ${line}`);
  const end = items.findIndex((item, index) => (left -= item.length + 1) < 0 && index > 0);
  return end < 0 ? items : items.slice(0, end);
}
