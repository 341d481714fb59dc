/** Updates the rows of a lineage when a session starts and ends. */

import type { LineageOptions } from "./file.ts";
import { type EndReason, LARGEST_NUMBER, type SessionRecord } from "./session_record.ts";

/** Options of `endSession()`. */
export interface EndSessionOptions extends LineageOptions {
  /** The session. */
  readonly sessionId?: string | null;
  /** The number of its row, for one whose own id is not known. */
  readonly id?: number;
  /** Why it ends. */
  readonly reason: EndReason;
  /** Fill of the window, in percent. @default {null} */
  readonly contextAtEnd?: number | null;
  /** The handoff. @default {null} */
  readonly summary?: string | null;
  /** When it ends. @default {new Date()} */
  readonly now?: Date;
}

export interface SessionStart {
  readonly sessionId: string | null;
  readonly parentSessionId: string | null;
  readonly workerId: string;
  readonly transcript: string | null;
  readonly nowMs: number;
  readonly retentionDays: number;
}

interface ChangedRows<T> {
  /** All rows; the very same array where nothing changed. */
  readonly sessions: readonly SessionRecord[];
  readonly record: T;
}

export function withStarted(
  sessions: readonly SessionRecord[],
  start: SessionStart,
): ChangedRows<SessionRecord> {
  const { sessionId, parentSessionId, transcript } = start;
  const started_at = new Date(start.nowMs).toISOString();
  const known = sessions.find((one) => one.session_id === sessionId && sessionId !== null);
  // Rows without a parent are of programs that write several down before they start any.
  const announced = sessionId === null && parentSessionId === null
    ? undefined
    : sessions.find((one) => isAnnounced(one, start));
  if (known !== undefined) {
    const theirs = parentSessionId === null ? undefined : announced;
    return withReopened(sessions, { known, announced: theirs, start });
  }
  if (announced !== undefined) {
    if (sessionId === null) return withRow(sessions, { ...announced, started_at });
    return withRow(sessions, { ...announced, session_id: sessionId, started_at, transcript });
  }
  const record: SessionRecord = {
    id: largest(sessions.map(({ id }) => id)) + 1,
    worker_id: start.workerId,
    session_number: lastNumber(sessions, start.workerId) + 1,
    session_id: sessionId,
    parent_session_id: parentSessionId,
    started_at,
    ended_at: null,
    end_reason: null,
    context_at_end: null,
    summary: null,
    transcript,
  };
  return { sessions: [...sessions, record], record };
}

function isAnnounced(row: SessionRecord, start: SessionStart): boolean {
  return row.session_id === null && row.ended_at === null &&
    row.parent_session_id === start.parentSessionId &&
    (start.parentSessionId !== null || row.worker_id === start.workerId);
}

/** A session that is there already starts again, or turns out to go on from a rollover. */
function withReopened(
  sessions: readonly SessionRecord[],
  { known, announced, start }: {
    readonly known: SessionRecord;
    readonly announced: SessionRecord | undefined;
    readonly start: SessionStart;
  },
): ChangedRows<SessionRecord> {
  const { parentSessionId, transcript } = start;
  const open = { ended_at: null, end_reason: null, context_at_end: null };
  const record: SessionRecord = {
    ...known,
    ...open,
    parent_session_id: known.parent_session_id ?? parentSessionId,
    transcript: transcript ?? known.transcript,
  };
  const isNewest = known.session_number === lastNumber(sessions, known.worker_id);
  if (announced !== undefined && isNewest && announced.worker_id === known.worker_id) {
    // It was counted before anybody knew that it is the one that was announced.
    const others = sessions.filter((one) => one !== known);
    const { id, session_number } = announced;
    return withRow(others, { ...record, id, session_number });
  }
  const isSame = JSON.stringify(record) === JSON.stringify(known);
  return isSame ? { sessions, record: known } : withRow(sessions, record);
}

export function withEnded(
  sessions: readonly SessionRecord[],
  end: EndSessionOptions,
): ChangedRows<SessionRecord | null> {
  const { id, sessionId = null } = end;
  const known = sessions.find((one) =>
    id === undefined ? sessionId !== null && one.session_id === sessionId : one.id === id
  );
  if (known === undefined) return { sessions, record: null };
  const saysMore = ["rollover", "trim", "rescue"].includes(end.reason);
  if (known.ended_at !== null && !saysMore) return { sessions, record: known };
  const { contextAtEnd: percent = null, summary = null } = end;
  const context = percent === null || !Number.isFinite(percent) ? null : Math.round(percent);
  return withRow(sessions, {
    ...known,
    ended_at: (end.now ?? new Date()).toISOString(),
    end_reason: end.reason,
    context_at_end: context ?? known.context_at_end,
    summary: summary ?? known.summary,
  });
}

function withRow(
  sessions: readonly SessionRecord[],
  record: SessionRecord,
): ChangedRows<SessionRecord> {
  return { sessions: sessions.map((one) => one.id === record.id ? record : one), record };
}

export function lastNumber(sessions: readonly SessionRecord[], workerId: string): number {
  const own = sessions.filter((one) => one.worker_id === workerId);
  return largest(own.map(({ session_number }) => session_number));
}

/** A repository could ship the largest number that there is, and every later row would be lost. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => one < LARGEST_NUMBER ? Math.max(most, one) : most, 0);
}
