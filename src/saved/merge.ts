/** Merges the work state of an earlier save into a new one. */

import { emptyState } from "../extract/empty_state.ts";
import { emptyTrail } from "../extract/trail/trail.ts";
import type { Decision, FileChange, Origin, Said, WorkState } from "../core/work_state.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { shownPath } from "../inject/shown_path.ts";
import { isByHand } from "../layout/lines.ts";

export const MAX_ITEMS = 200;

export const MAX_REQUIREMENTS = 30;

const MAX_TRAIL_ITEMS = 24;
const MAX_TRAIL_FILES = 60;

/** Items are compared by this many leading characters. */
const COMPARED_CHARS = 1_400;

/**
 * Adds the state of an earlier save, because often only the lines after a compaction were read. Earlier
 * issues and progress are added only if they were written by hand. If the newer state has next steps, earlier
 * steps are added only if they were written by hand and are still open.
 */
export function carryOver(state: WorkState, before: WorkState, projectDir: string): WorkState {
  const current = mergeDuplicates(state, projectDir);
  const isHandwritten = ({ from }: { readonly from: Origin }): boolean => isByHand(from);
  return mergeStates(current, {
    ...before,
    issues: before.issues.filter(isHandwritten),
    next_steps: current.next_steps.length === 0
      ? before.next_steps
      : before.next_steps.filter((step) => isHandwritten(step) && step.status !== "completed"),
    progress: { ...before.progress, recent: before.progress.recent.filter(isHandwritten) },
  }, projectDir);
}

export function mergeDuplicates(state: WorkState, projectDir: string): WorkState {
  return mergeStates(state, emptyState(), projectDir);
}

export function mergeStates(newer: WorkState, older: WorkState, projectDir: string): WorkState {
  const steps = [...newer.next_steps, ...older.next_steps];
  const recent = [...older.progress.recent, ...newer.progress.recent];
  return {
    session_id: newer.session_id ?? older.session_id,
    requirements: mergeRequirements(older.requirements, newer.requirements),
    changes: mergeChanges([...newer.changes, ...older.changes], projectDir),
    commits: mergeItems(
      [...newer.commits, ...older.commits],
      ({ hash, message }) => hash === "" && message === "" ? "" : keyOf(`${hash} ${message}`),
    ),
    decisions: mergeDecisions([...newer.decisions, ...older.decisions]),
    issues: mergeItems([...newer.issues, ...older.issues], ({ issue }) => keyOf(issue)),
    next_steps: mergeItems(steps, ({ step }) => keyOf(step)),
    learnings: mergeItems([...newer.learnings, ...older.learnings], saidKey),
    progress: { ...newer.progress, recent: mergeItems(recent, saidKey) },
    ...mergeTrails(newer, older, projectDir),
    partial: newer.partial,
  };
}

/**
 * Merges both trails. The newer trail describes the end of the session. The older trail supplies the last
 * steps, the branch and the names only if the newer trail has none.
 */
function mergeTrails(
  newer: WorkState,
  older: WorkState,
  projectDir: string,
): Pick<WorkState, "trail"> {
  if (newer.trail === undefined && older.trail === undefined) return {};
  const [newTrail, oldTrail] = [newer.trail ?? emptyTrail(), older.trail ?? emptyTrail()];
  const pathOf = (file: string): string => shownPath(file, projectDir);
  const changed = new Set([...newer.changes, ...older.changes].map(({ file }) => pathOf(file)));
  const commandKey = (said: Said): string => {
    const words = saidKey(said);
    return /^`([^`]*)`/.exec(words)?.[1] ?? words;
  };
  const commands = [...newTrail.commands, ...oldTrail.commands];
  return {
    trail: {
      ...newTrail,
      stopped: newTrail.stopped.length > 0 ? newTrail.stopped : oldTrail.stopped,
      commands: mergeItems(commands, commandKey, MAX_TRAIL_ITEMS),
      refused: mergeItems([...newTrail.refused, ...oldTrail.refused], saidKey, MAX_TRAIL_ITEMS),
      branch: newTrail.branch || oldTrail.branch,
      links: mergeItems([...newTrail.links, ...oldTrail.links], keyOf, MAX_TRAIL_ITEMS),
      read: mergeItems([...newTrail.read, ...oldTrail.read], pathOf, MAX_TRAIL_FILES)
        .filter((file) => !changed.has(pathOf(file))),
      names: newTrail.names.length > 0 ? newTrail.names : oldTrail.names,
      plans: mergeItems([...oldTrail.plans, ...newTrail.plans], pathOf, MAX_TRAIL_ITEMS),
    },
  };
}

/** Keeps the first requirement and the newest of the rest. Handwritten notes come last. */
function mergeRequirements(older: readonly Said[], newer: readonly Said[]): readonly Said[] {
  const known = new Map(newer.map((one) => [saidKey(one), one]));
  const unknown = older.slice(1).filter((one) => !known.has(saidKey(one)));
  // If both states have the first request, the newer state's text can be more complete.
  const first = older.slice(0, 1).map((one) => known.get(saidKey(one)) ?? one);
  const [head, ...rest] = mergeItems([...first, ...unknown, ...newer], saidKey, Infinity);
  const handwrittenLast = rest.toSorted((a, b) =>
    Number(isByHand(a.from)) - Number(isByHand(b.from))
  );
  const kept = handwrittenLast.slice(Math.max(0, handwrittenLast.length - MAX_REQUIREMENTS + 1));
  return head === undefined ? [] : [head, ...kept];
}

function mergeDecisions(decisions: readonly Decision[]): readonly Decision[] {
  return mergeItems(decisions, ({ decision }) => keyOf(decision), MAX_ITEMS, (newer, older) => ({
    ...newer,
    rationale: newer.rationale || older.rationale,
    alternatives: newer.alternatives.length > 0 ? newer.alternatives : older.alternatives,
  }));
}

function mergeChanges(changes: readonly FileChange[], projectDir: string): readonly FileChange[] {
  const changeKey = ({ file, what, why, from }: FileChange): string => {
    const path = shownPath(file, projectDir);
    return isByHand(from) ? `hand ${path} ${keyOf(what)} ${keyOf(why)}` : path;
  };
  return mergeItems(changes, changeKey, MAX_ITEMS, mergeChange);
}

/** Uses the larger count, because both changes may include the same calls. */
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
    what: keyOf(newer.what) === "" ? older.what : newer.what,
    why: keyOf(newer.why) === "" ? older.why : newer.why,
  };
}

/**
 * Merges items with equal keys; by default, keeps the first of them. Drops items with an empty key, and items
 * beyond `maxItems`.
 */
function mergeItems<T>(
  items: readonly T[],
  key: (item: T) => string,
  maxItems: number = MAX_ITEMS,
  merge: (known: T, other: T) => T = (known) => known,
): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const itemKey = key(item);
    const known = byKey.get(itemKey);
    if (itemKey === "" || (known === undefined && byKey.size >= maxItems)) continue;
    byKey.set(itemKey, known === undefined ? item : merge(known, item));
  }
  return [...byKey.values()];
}

function saidKey({ text }: Said): string {
  return keyOf(text);
}

/** Identifies a fact by its text, regardless of its place in the transcript. */
function keyOf(text: string): string {
  return excerptLine(text, COMPARED_CHARS).toLowerCase();
}
