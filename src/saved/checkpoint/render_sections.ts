/** The body of a checkpoint. */

import { endItem, fewLines, isByHand, oneLine, originText } from "./item.ts";
import { changeLine, commitLine, MAX_WHAT_CHARS, shownPath, whyLine } from "./change_lines.ts";
import {
  decisionLine,
  issueLine,
  recentLine,
  requirementLine,
  saidLine,
  stepLine,
  TASK_BOUNDS,
} from "./lines.ts";
import { NONE_RECORDED, OPTIONAL_SECTIONS, type SectionName, SECTIONS } from "./sections.ts";
import type {
  Count,
  FileChange,
  NextStep,
  Said,
  Trail,
  WorkState,
} from "../../extract/work_state.ts";
import { emptyTrail } from "../../extract/trail/trail.ts";
import { gitLines, nameLine, readLines, stoppedLine } from "./trail_lines.ts";

/** The most characters of the lines of each section; a checkpoint is the sum of them. */
const BUDGETS: { readonly [name in SectionName]: number } = {
  "Task": 7_000,
  "What Changed": 7_500,
  "Why Changed": 1_800,
  "Active Issues": 2_200,
  "Key Decisions": 5_000,
  "Next Steps": 2_200,
  "Learnings": 1_500,
  "Progress": 1_600,
  "Refused or Corrected": 2_000,
  "Commands": 2_000,
  "Git": 800,
  "Files Read": 1_600,
  "Names": 1_300,
  "Where It Stopped": 4_600,
};

type TrailSection =
  | "Refused or Corrected"
  | "Commands"
  | "Git"
  | "Files Read"
  | "Names"
  | "Where It Stopped";

/** Largest share of the changes' room that commits can take. */
const COMMITS_BUDGET = 1_000;

const MAX_ANSWERS = 3;

/** Most tools, files and summaries in a line, and the longest name. */
const MAX_NAMES = 8;
const MAX_NAME_CHARS = 60;

const MAX_FILES_FOR_ONE_REASON = 4;

export function renderSections(state: WorkState, projectDir: string): string {
  const lines: { readonly [name in SectionName]: readonly string[] } = {
    "Task": taskLines(state.requirements),
    "What Changed": changeLines(state, projectDir),
    "Why Changed": whyLines(state.changes, projectDir),
    "Active Issues": fitting("Active Issues", state.issues.map(issueLine)),
    "Key Decisions": fitting("Key Decisions", state.decisions.map(decisionLine)),
    "Next Steps": stepLines(state.next_steps),
    "Learnings": fitting("Learnings", state.learnings.map((one) => saidLine(one))),
    "Progress": fitting("Progress", progressLines(state, projectDir)),
    ...trailLines(state.trail ?? emptyTrail(), projectDir),
  };
  const isShown = (name: SectionName): boolean =>
    lines[name].length > 0 || !OPTIONAL_SECTIONS.includes(name);
  return SECTIONS.filter(isShown).map((name) => {
    const body = lines[name].length === 0 ? NONE_RECORDED : lines[name].join("\n");
    return `## ${name}\n\n${body}\n`;
  }).join("\n");
}

/** Where the session stopped, newest last: what does not fit is the oldest. */
function trailLines(
  trail: Trail,
  projectDir: string,
): { readonly [name in TrailSection]: readonly string[] } {
  const { stopped, commands, refused } = trail;
  const newest = stopped.toReversed().map(stoppedLine);
  return {
    "Refused or Corrected": fitting("Refused or Corrected", refused.map(stoppedLine)),
    "Commands": fitting("Commands", commands.map(stoppedLine)),
    "Git": fitting("Git", gitLines(trail)),
    "Files Read": fitting("Files Read", readLines(trail, projectDir)),
    "Names": fitting("Names", [nameLine(trail)]),
    "Where It Stopped": fitting("Where It Stopped", newest).filter((line) => line.startsWith("- "))
      .toReversed(),
  };
}

/** The first requirement is quoted whole; of the others the newest that fit are listed. */
function taskLines(requirements: readonly Said[]): readonly string[] {
  const [first, ...rest] = requirements;
  const text = fewLines(first?.text ?? "", TASK_BOUNDS);
  if (first === undefined || text === "") return fitting("Task", rest.map(requirementLine));
  const quote = endItem({ text, label: "", from: first.from })
    .split("\n").map((line) => `> ${line}`.trimEnd());
  const used = quote.join("\n").length;
  const listed = fitting("Task", rest.map(requirementLine).reverse(), used).toReversed();
  // A note on what was left out stands last, also in what was turned round.
  const isItem = (line: string): boolean => line.startsWith("- ");
  const list = [...listed.filter(isItem), ...listed.filter((line) => !isItem(line))];
  return list.length === 0 ? quote : [...quote, "", ...list];
}

/** Many files leave room for the newest commits. */
function changeLines(state: WorkState, projectDir: string): readonly string[] {
  const spared = BUDGETS["What Changed"] - COMMITS_BUDGET;
  const commits = fitting("What Changed", state.commits.map(commitLine), spared);
  const changes = state.changes.map((change) => changeLine(change, projectDir));
  return [...fitting("What Changed", changes, commits.join("\n").length), ...commits];
}

/** Files that were changed for the same reason stand together. */
function whyLines(changes: readonly FileChange[], projectDir: string): readonly string[] {
  const byReason = new Map<string, FileChange[]>();
  for (const [index, change] of changes.entries()) {
    const why = oneLine(change.why, MAX_WHAT_CHARS).toLowerCase();
    if (why === "") continue;
    const key = isByHand(change.from) ? `hand ${index}` : `why ${why}`;
    const known = byReason.get(key) ?? [];
    if (known.length < MAX_FILES_FOR_ONE_REASON) known.push(change);
    byReason.set(key, known);
  }
  return fitting("Why Changed", [...byReason.values()].map((all) => whyLine(all, projectDir)));
}

/** In their order; where there are too many, what is done goes first. */
function stepLines(steps: readonly NextStep[]): readonly string[] {
  const rank = { in_progress: 0, pending: 1, completed: 2 };
  const byRank = steps.toSorted((a, b) => rank[a.status] - rank[b.status]);
  const kept = fitting("Next Steps", byRank.map(stepLine));
  const inOrder = steps.map((step) => `- ${stepLine(step)}`).filter((line) => kept.includes(line));
  return [...inOrder, ...kept.filter((line) => !line.startsWith("- "))];
}

function progressLines(state: WorkState, projectDir: string): readonly string[] {
  const { recent, tools, files_read, summaries } = state.progress;
  const notes = recent.filter(({ from }) => isByHand(from));
  const answers = recent.filter(({ from }) => !isByHand(from)).slice(-MAX_ANSWERS);
  const files = files_read.map((one) => ({ ...one, name: pathEnd(one.name, projectDir) }));
  const places = summaries.slice(-MAX_NAMES).map(originText).join(", ");
  return [
    ...notes.map(recentLine),
    counted(state),
    countsLine("Tools", tools),
    countsLine("Files read most", files),
    places === "" ? "" : `Earlier summaries: ${places}`,
    // Where it stopped holds them whole.
    ...((state.trail?.stopped.length ?? 0) > 0 ? [] : answers.map(recentLine)),
  ];
}

/** Progress of the work, in figures; nothing for a state in which nothing was done. */
function counted(state: WorkState): string {
  const files = state.changes.filter(({ from }) => !isByHand(from)).length;
  const done = state.next_steps.filter(({ status }) => status === "completed").length;
  const parts = [
    files === 0 ? "" : `${files} ${files === 1 ? "file" : "files"} changed`,
    state.commits.length === 0 ? "" : `${state.commits.length} committed`,
    state.next_steps.length === 0 ? "" : `${done} of ${state.next_steps.length} steps done`,
    state.issues.length === 0
      ? ""
      : `${state.issues.length} open ${state.issues.length === 1 ? "issue" : "issues"}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `State: ${parts.join(", ")}`;
}

/** The end of a long path tells more than its beginning. */
function pathEnd(file: string, projectDir: string): string {
  const path = shownPath(file, projectDir);
  return path.length <= MAX_NAME_CHARS ? path : `…${path.slice(1 - MAX_NAME_CHARS)}`;
}

function countsLine(title: string, counts: readonly Count[]): string {
  const all = counts.slice(0, MAX_NAMES)
    .map(({ name, count }) => `${oneLine(name, MAX_NAME_CHARS)} ${Number(count)}`);
  return all.length === 0 ? "" : `${title}: ${all.join(", ")}`;
}

/** The first lines that fit in the room of a section, and a note on how many do not. */
function fitting(name: SectionName, lines: readonly string[], used = 0): readonly string[] {
  const items = lines.filter((line) => line !== "").map((line) => `- ${line}`);
  let room = BUDGETS[name] - used;
  const tooMany = items.findIndex((item) => (room -= item.length + 1) < 0);
  if (tooMany < 0) return items;
  return [...items.slice(0, tooMany), `(${items.length - tooMany} more did not fit)`];
}
