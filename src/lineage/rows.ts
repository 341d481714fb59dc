/** Which rows of a lineage are fine, and which of them stay. */

import { DAY_MS } from "../core/time.ts";
import { isSessionRecord, type SessionRecord } from "./session_record.ts";

export const MAX_SESSIONS = 300;

/** A flat JSON object; rows hold no other. */
const FLAT_OBJECT = /\{(?:[^{}"]|"(?:[^"\\\n]|\\.)*")*\}/g;

interface Retention {
  readonly nowMs: number;
  readonly retentionDays: number;
  /** The most rows. @default {MAX_SESSIONS} */
  readonly maxSessions?: number;
}

export function soundRows(values: readonly unknown[]): SessionRecord[] {
  const seen = new Set<string>();
  return values.filter(isSessionRecord).filter((row) => {
    const keys = [
      `row ${row.id}`,
      `number ${row.session_number} ${row.worker_id}`,
      ...(row.session_id === null ? [] : [`session ${row.session_id}`]),
    ];
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

export function salvageRows(text: string): unknown[] {
  return [...text.matchAll(FLAT_OBJECT)].flatMap(([json]) => {
    try {
      const value: unknown = JSON.parse(json);
      return [value];
    } catch {
      return [];
    }
  });
}

/** Drops sessions past their keeping time and, of too many, the oldest: ended ones before open ones. */
export function keptSessions(
  sessions: readonly SessionRecord[],
  retention: Retention,
): readonly SessionRecord[] {
  const { nowMs, retentionDays, maxSessions = MAX_SESSIONS } = retention;
  const newest = new Map(sessions.map((one) => [one.worker_id, one.id]));
  const oldest = nowMs - retentionDays * DAY_MS;
  const fresh = sessions.filter((one) =>
    newest.get(one.worker_id) === one.id || !(endOf(one) < oldest)
  );
  const excess = fresh.length - maxSessions;
  if (excess <= 0) return fresh;
  const byWorth = fresh.toSorted((a, b) => worthOf(a, newest) - worthOf(b, newest) || a.id - b.id);
  const gone = new Set(byWorth.slice(0, excess).map(({ id }) => id));
  return fresh.filter(({ id }) => !gone.has(id));
}

/** When it ended; one that was announced and never started ended as it began. */
function endOf(session: SessionRecord): number {
  if (session.ended_at !== null) return Date.parse(session.ended_at);
  return session.session_id === null ? Date.parse(session.started_at) : Infinity;
}

function worthOf(session: SessionRecord, newest: ReadonlyMap<string, number>): number {
  if (newest.get(session.worker_id) === session.id) return 2;
  return endOf(session) === Infinity ? 1 : 0;
}
