/** Arranges the lineage as trees of sessions. */

import { excerptLine } from "../inject/excerpt.ts";
import type { SessionRecord } from "../saved/lineage/rows.ts";

/** Children below this level are omitted. */
const MAX_DEPTH = 40;

export interface FamilyMember {
  /** Null if the session has not started. */
  readonly session_id: string | null;
  /** The worker and the session's number, such as `main #3`. */
  readonly name: string;
  /** ISO 8601; null if unknown. */
  readonly started_at: string | null;
  /** Null while the session is open. */
  readonly end_reason: string | null;
  /** Percentage of the window in use at the end; null if unknown. */
  readonly context_at_end: number | null;
  /** Whether the report is about this session. */
  readonly is_this: boolean;
  readonly children: readonly FamilyMember[];
}

export function familiesOf(
  rows: readonly SessionRecord[],
  sessionId: string | null,
  parentId: string | null = null,
): FamilyMember[] {
  const all = withOwn(rows, sessionId, parentId);
  const children = Map.groupBy(all, ({ parent_session_id: parent }) => parent);
  const known = new Set(all.map(({ session_id: id }) => id));
  const seen = new Set<SessionRecord>();
  const grow = (row: SessionRecord, depth: number): FamilyMember => {
    seen.add(row);
    const own = row.session_id === null || depth >= MAX_DEPTH
      ? []
      : children.get(row.session_id) ?? [];
    return {
      session_id: row.session_id,
      name: row.session_number === 0
        ? "session"
        : `${excerptLine(row.worker_id, 40)} #${row.session_number}`,
      started_at: row.started_at === "" ? null : row.started_at,
      end_reason: row.end_reason,
      context_at_end: row.context_at_end,
      is_this: sessionId !== null && row.session_id === sessionId,
      children: own.flatMap((child) => seen.has(child) ? [] : [grow(child, depth + 1)]),
    };
  };
  const isFirst = ({ parent_session_id: parent }: SessionRecord): boolean =>
    parent === null || !known.has(parent);
  const families = all.filter(isFirst).map((row) => grow(row, 0));
  // Sessions whose parents form a loop have no root, so one of them becomes the root.
  for (const row of all) if (!seen.has(row)) families.push(grow(row, 0));
  return sessionId === null ? families : families.filter(holdsThis);
}

export function countMembers(member: FamilyMember): number {
  return member.children.reduce((sum, child) => sum + countMembers(child), 1);
}

function holdsThis(member: FamilyMember): boolean {
  return member.is_this || member.children.some(holdsThis);
}

/** Adds a trimmed copy and its parent, if the lineage lacks them. */
function withOwn(
  rows: readonly SessionRecord[],
  sessionId: string | null,
  parentId: string | null,
): SessionRecord[] {
  const all = [...rows];
  const has = (id: string): boolean => all.some((row) => row.session_id === id);
  if (sessionId === null || has(sessionId) || parentId === null) return all;
  if (!has(parentId)) all.push(unknownRow(parentId, null));
  all.push(unknownRow(sessionId, parentId));
  return all;
}

function unknownRow(id: string, parentId: string | null): SessionRecord {
  return {
    id: 0,
    worker_id: "",
    session_number: 0,
    session_id: id,
    parent_session_id: parentId,
    started_at: "",
    ended_at: null,
    end_reason: null,
    context_at_end: null,
    summary: null,
    transcript: null,
  };
}
