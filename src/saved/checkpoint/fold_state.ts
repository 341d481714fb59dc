/** Two work states as one, and one without repetitions. */

import { changeLine, commitLine, shownPath } from "./change_lines.ts";
import {
  decisionLine,
  issueLine,
  recentLine,
  requirementLine,
  saidLine,
  stepLine,
} from "./lines.ts";
import { isByHand, oneLine, readEnding } from "./item.ts";
import { emptyState } from "../../extract/empty_state.ts";
import { emptyTrail } from "../../extract/trail/trail.ts";
import type { Decision, FileChange, Said, WorkState } from "../../extract/work_state.ts";

/** No list of a merged state is longer; a checkpoint shows far fewer. */
const MAX_ITEMS = 200;

/** More requirements than these are not kept: the first, and the newest. */
const MAX_REQUIREMENTS = 30;

/** Of a trail no more is kept: commands, refusals and links, and files that were only read. */
const MAX_TRAIL_ITEMS = 24;
const MAX_TRAIL_FILES = 60;
const MAX_LINK_CHARS = 300;

/** As much of a text shows whether it says anything. */
const SAMPLE_CHARS = 40;

export function mergeStates(newer: WorkState, older: WorkState, projectDir: string): WorkState {
  const steps = [...newer.next_steps, ...older.next_steps];
  const recent = [...older.progress.recent, ...newer.progress.recent];
  return {
    session_id: newer.session_id ?? older.session_id,
    requirements: mergeRequirements(older.requirements, newer.requirements),
    changes: mergeChanges([...newer.changes, ...older.changes], projectDir),
    commits: folded([...newer.commits, ...older.commits], (one) => wordsOf(commitLine(one))),
    decisions: mergeDecisions([...newer.decisions, ...older.decisions]),
    issues: folded([...newer.issues, ...older.issues], (one) => wordsOf(issueLine(one))),
    next_steps: folded(steps, (one) => wordsOf(stepLine({ ...one, status: "pending" }))),
    learnings: folded([...newer.learnings, ...older.learnings], saidKey),
    progress: { ...newer.progress, recent: folded(recent, (one) => wordsOf(recentLine(one))) },
    ...mergeTrails(newer, older, projectDir),
    partial: newer.partial,
  };
}

export function foldState(state: WorkState, projectDir: string): WorkState {
  return mergeStates(state, emptyState(), projectDir);
}

/** What was said and done last is told by the newer one alone; the rest of both counts. */
function mergeTrails(
  newer: WorkState,
  older: WorkState,
  projectDir: string,
): Pick<WorkState, "trail"> {
  if (newer.trail === undefined && older.trail === undefined) return {};
  const [mine, theirs] = [newer.trail ?? emptyTrail(), older.trail ?? emptyTrail()];
  const pathOf = (file: string): string => shownPath(file, projectDir);
  const linkOf = (link: string): string => oneLine(link, MAX_LINK_CHARS);
  const changed = new Set([...newer.changes, ...older.changes].map(({ file }) => pathOf(file)));
  const commandKey = (said: Said): string => {
    const words = saidKey(said);
    return /^\\?`([^`]*)`/.exec(words)?.[1] ?? words;
  };
  return {
    trail: {
      stopped: mine.stopped.length > 0 ? mine.stopped : theirs.stopped,
      commands: folded([...mine.commands, ...theirs.commands], commandKey, MAX_TRAIL_ITEMS),
      refused: folded([...mine.refused, ...theirs.refused], saidKey, MAX_TRAIL_ITEMS),
      branch: mine.branch || theirs.branch,
      links: folded([...mine.links, ...theirs.links], linkOf, MAX_TRAIL_ITEMS),
      read: folded([...mine.read, ...theirs.read], pathOf, MAX_TRAIL_FILES)
        .filter((file) => !changed.has(pathOf(file))),
      names: mine.names.length > 0 ? mine.names : theirs.names,
      plans: folded([...theirs.plans, ...mine.plans], pathOf, MAX_TRAIL_ITEMS),
    },
  };
}

/** The first of all, then the newest that fit, in their order. */
function mergeRequirements(older: readonly Said[], newer: readonly Said[]): readonly Said[] {
  const known = new Map(newer.map((one) => [requirementKey(one), one]));
  const unknown = older.slice(1).filter((one) => !known.has(requirementKey(one)));
  // Of one that both know the newer is whole.
  const first = older.slice(0, 1).map((one) => known.get(requirementKey(one)) ?? one);
  const [head, ...rest] = folded([...first, ...unknown, ...newer], requirementKey, Infinity);
  const inOrder = [
    ...rest.filter(({ from }) => !isByHand(from)),
    ...rest.filter(({ from }) => isByHand(from)),
  ];
  const kept = inOrder.slice(Math.max(0, inOrder.length - MAX_REQUIREMENTS + 1));
  return head === undefined ? [] : [head, ...kept];
}

function mergeDecisions(decisions: readonly Decision[]): readonly Decision[] {
  const byKey = new Map<string, Decision>();
  for (const decision of decisions) {
    const bare = { ...decision, rationale: "", alternatives: [] };
    const key = wordsOf(decisionLine(bare));
    const known = byKey.get(key);
    if (key === "" || (known === undefined && byKey.size >= MAX_ITEMS)) continue;
    byKey.set(
      key,
      known === undefined ? decision : {
        ...known,
        rationale: known.rationale || decision.rationale,
        alternatives: known.alternatives.length > 0 ? known.alternatives : decision.alternatives,
      },
    );
  }
  return [...byKey.values()];
}

function mergeChanges(changes: readonly FileChange[], projectDir: string): readonly FileChange[] {
  const byKey = new Map<string, FileChange>();
  for (const change of changes) {
    const key = changeKey(change, projectDir);
    const known = byKey.get(key);
    if (key === "" || (known === undefined && byKey.size >= MAX_ITEMS)) continue;
    byKey.set(key, known === undefined ? change : mergeChange(known, change));
  }
  return [...byKey.values()];
}

/** A file stands once; each note by hand stands for itself. */
function changeKey(change: FileChange, projectDir: string): string {
  const path = shownPath(change.file, projectDir);
  if (!isByHand(change.from)) return path;
  return `hand ${wordsOf(changeLine(change, projectDir))} ${
    saidKey({ ...change, text: change.why })
  }`;
}

/** The counts of both may tell of the same calls, so they are not added up. */
function mergeChange(newer: FileChange, older: FileChange): FileChange {
  const lines = [newer.first_line, newer.last_line, older.first_line, older.last_line]
    .filter((line) => line !== null && Number.isSafeInteger(line) && line >= 0)
    .map(Number);
  return {
    ...newer,
    action: older.action === "created" ? "created" : newer.action,
    count: Math.max(newer.count, older.count),
    first_line: lines.length === 0 ? null : Math.min(...lines),
    last_line: lines.length === 0 ? null : Math.max(...lines),
    what: firstOf(newer.what, older.what),
    why: firstOf(newer.why, older.why),
  };
}

function firstOf(text: string, other: string): string {
  return isSaid(text) ? text : other;
}

function isSaid(text: string): boolean {
  return oneLine(text, SAMPLE_CHARS) !== "";
}

function folded<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  maxItems: number = MAX_ITEMS,
): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== "" && !byKey.has(key) && byKey.size < maxItems) byKey.set(key, item);
  }
  return [...byKey.values()];
}

function requirementKey(said: Said): string {
  return wordsOf(requirementLine(said));
}

function saidKey(said: Said): string {
  return wordsOf(saidLine(said));
}

/** An item without where it came from: the same words are the same fact. */
function wordsOf(line: string): string {
  return readEnding(line).text.toLowerCase();
}
