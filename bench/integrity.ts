/**
 * Finds faults that a trim introduced into a copy. They can keep the client from resuming the copy.
 */

import { parse } from "./regret_points.ts";

/** Faults of a copy that the original session does not have. */
export interface Faults {
  /** Lines that are not JSON. */
  readonly broken: number;
  /** Calls without a result, and results without a call. */
  readonly unpaired: number;
  /** Messages whose parent is missing. */
  readonly orphans: number;
  /** Lines with the same JSON value as before, but different bytes. */
  readonly rewritten: number;
}

// deno-lint-ignore no-explicit-any
type Entry = any;

export function faultsOf(session: readonly string[], copy: readonly string[]): Faults {
  const [before, after] = [session.map(parse), copy.map(parse)];
  const known = new Set(session);
  return {
    broken: copy.filter((line, index) => after[index] === undefined && !known.has(line)).length,
    unpaired: unpairedIn(after).difference(unpairedIn(before)).size,
    orphans: missingParents(after).difference(missingParents(before)).size,
    rewritten: countRewritten({ session, before }, { copy, after }),
  };
}

function unpairedIn(entries: readonly Entry[]): Set<string> {
  const blocks = entries.flatMap((entry) => {
    const content = entry?.message?.content;
    return Array.isArray(content) ? content : [];
  });
  const idsOf = (type: string, key: string): Set<string> =>
    new Set(blocks.filter((block) => block?.type === type).map((block) => String(block[key])));
  return idsOf("tool_use", "id").symmetricDifference(idsOf("tool_result", "tool_use_id"));
}

function missingParents(entries: readonly Entry[]): Set<string> {
  const ids = new Set(entries.map((entry) => entry?.uuid));
  const parents = entries.map((entry) => entry?.parentUuid);
  return new Set(parents.filter((id) => typeof id === "string" && !ids.has(id)));
}

/** Counts lines whose bytes changed although their JSON value did not. Ignores the copy's own session id. */
function countRewritten(
  { session, before }: { session: readonly string[]; before: readonly Entry[] },
  { copy, after }: { copy: readonly string[]; after: readonly Entry[] },
): number {
  const indexes = new Map(
    before.flatMap((entry, index) =>
      entry?.uuid === undefined ? [] : [[entry.uuid, index] as const]
    ),
  );
  return copy.filter((line, index) => {
    const entry = after[index];
    const oldIndex = indexes.get(entry?.uuid);
    if (oldIndex === undefined || line === session[oldIndex]) return false;
    const [oldId, newId] = [before[oldIndex].sessionId, entry.sessionId];
    const renamed = typeof newId === "string" ? line.replaceAll(newId, String(oldId)) : line;
    if (renamed === session[oldIndex]) return false;
    return canonical(JSON.parse(renamed)) === canonical(before[oldIndex]);
  }).length;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
