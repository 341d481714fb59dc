/** Defines the records of a lineage, and changes them when a session starts, ends or expires. */

import { DAY_MS } from "../../core/time.ts";
import { isObject, isTime } from "../../core/record.ts";
import type { AtomicFileSystem } from "../../store/atomic.ts";

const MAX_SESSIONS = 300;

const MAX_NUMBER = 1_000_000_000;

/** In UTF-16 code units. The handoff's file contains the full summary. */
export const MAX_SUMMARY_CHARS = 4_000;

/** Why a session ended. */
export type EndReason = "rollover" | "trim" | "rescue" | "compact" | "clear" | "exit";

export const END_REASONS: readonly EndReason[] = [
  "rollover",
  "trim",
  "rescue",
  "compact",
  "clear",
  "exit",
];

/** A session's record in the lineage, with the keys of the lineage file. */
export interface SessionRecord {
  /** The record's number within the project, from 1. */
  readonly id: number;
  /** The session's worker. */
  readonly worker_id: string;
  /** The session's number among the sessions of its worker, from 1. */
  readonly session_number: number;
  /** The session's id; null for a session that was announced, for example by a rollover, but not started. */
  readonly session_id: string | null;
  /** The session that this one continues; null if there is none. */
  readonly parent_session_id: string | null;
  /** Time of the start or announcement, ISO 8601. */
  readonly started_at: string;
  /** Time of the end, ISO 8601; null while the session is open. */
  readonly ended_at: string | null;
  /** Reason for the end; null while the session is open. */
  readonly end_reason: EndReason | null;
  /** Percentage of the limit in use at the end; null if unknown. */
  readonly context_at_end: number | null;
  /** The handoff or, if no model wrote one, the current request, possibly shortened; null if there is none. */
  readonly summary: string | null;
  /** The transcript's path; null if unknown. */
  readonly transcript: string | null;
}

export function isSessionRecord(value: unknown): value is SessionRecord {
  if (!isObject(value)) return false;
  const { ended_at, end_reason, context_at_end } = value;
  return isRecordNumber(value["id"]) && isRecordNumber(value["session_number"]) &&
    isNonEmptyString(value["worker_id"]) && isTime(value["started_at"]) &&
    ["session_id", "parent_session_id", "transcript"].every((name) =>
      value[name] === null || isNonEmptyString(value[name])
    ) &&
    (ended_at === null || isTime(ended_at)) && (ended_at === null) === (end_reason === null) &&
    (end_reason === null || END_REASONS.some((reason) => reason === end_reason)) &&
    (context_at_end === null || Number.isFinite(context_at_end)) &&
    (value["summary"] === null || typeof value["summary"] === "string");
}

function isRecordNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_NUMBER;
}

function isNonEmptyString(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Location of a lineage, and options for writing it. */
export interface LineageOptions {
  /** The project's folder. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** Longest wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  /** System calls for writing. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

/** Options for `endSession()`. */
export interface EndSessionOptions extends LineageOptions {
  /** The session's id; null if unknown. */
  readonly sessionId?: string | null;
  /** The record's number, for a session whose id is unknown. If given, `sessionId` is ignored. */
  readonly id?: number;
  /** Reason for the end. */
  readonly reason: EndReason;
  /** Percentage of the limit in use. @default {null} */
  readonly contextAtEnd?: number | null;
  /** A summary of the session, such as the text of its handoff. @default {null} */
  readonly summary?: string | null;
  /** Time of the end. @default {new Date()} */
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

export interface ChangedRecords<T> {
  /** The given array itself if nothing changed. */
  readonly sessions: readonly SessionRecord[];
  readonly record: T;
}

export function withStarted(
  sessions: readonly SessionRecord[],
  start: SessionStart,
): ChangedRecords<SessionRecord> {
  const { sessionId, parentSessionId, transcript } = start;
  const started_at = new Date(start.nowMs).toISOString();
  const known = sessions.find((one) => one.session_id === sessionId && sessionId !== null);
  // Some programs announce several sessions without a parent before they start one, so each such announcement
  // gets its own record.
  const announced = sessionId === null && parentSessionId === null
    ? undefined
    : sessions.find((one) => isAnnounced(one, start));
  if (known !== undefined) {
    const continued = parentSessionId === null ? undefined : announced;
    return withReopened(sessions, { known, announced: continued, start });
  }
  if (announced !== undefined) {
    if (sessionId === null) return withRecord(sessions, announced, { started_at });
    return withRecord(sessions, announced, { session_id: sessionId, started_at, transcript });
  }
  const record: SessionRecord = {
    id: largestNumber(sessions.map(({ id }) => id)) + 1,
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

/**
 * Reopens a known session. If the session is the newest of its worker, and the worker has an announced record
 * for the session, the known record replaces the announced record and takes over its number.
 */
function withReopened(
  sessions: readonly SessionRecord[],
  { known, announced, start }: {
    readonly known: SessionRecord;
    readonly announced: SessionRecord | undefined;
    readonly start: SessionStart;
  },
): ChangedRecords<SessionRecord> {
  const { parentSessionId, transcript } = start;
  const record: SessionRecord = {
    ...known,
    ended_at: null,
    end_reason: null,
    context_at_end: null,
    parent_session_id: known.parent_session_id ?? parentSessionId,
    transcript: transcript ?? known.transcript,
  };
  const isNewest = known.session_number === lastNumber(sessions, known.worker_id);
  if (announced !== undefined && isNewest && announced.worker_id === known.worker_id) {
    // The session got its own record before it was recognized as the announced session.
    const others = sessions.filter((one) => one !== known);
    const { id, session_number } = announced;
    return withRecord(others, announced, { ...record, id, session_number });
  }
  const isSame = JSON.stringify(record) === JSON.stringify(known);
  return isSame ? { sessions, record: known } : withRecord(sessions, known, record);
}

export function withEnded(
  sessions: readonly SessionRecord[],
  end: EndSessionOptions,
): ChangedRecords<SessionRecord | null> {
  const { id, sessionId = null } = end;
  const known = sessions.find((one) =>
    id === undefined ? sessionId !== null && one.session_id === sessionId : one.id === id
  );
  if (known === undefined) return { sessions, record: null };
  const hasDetails = ["rollover", "trim", "rescue"].includes(end.reason);
  if (known.ended_at !== null && !hasDetails) return { sessions, record: known };
  const { contextAtEnd: percent = null, summary = null } = end;
  const context = percent === null || !Number.isFinite(percent) ? null : Math.round(percent);
  return withRecord(sessions, known, {
    ended_at: (end.now ?? new Date()).toISOString(),
    end_reason: end.reason,
    context_at_end: context ?? known.context_at_end,
    summary: summary ?? known.summary,
  });
}

/** Ends a session, which is added if it is unknown, and starts or announces the session that continues it. */
export function withSuccessor(
  sessions: readonly SessionRecord[],
  { parent, end, child }: {
    readonly parent: SessionStart;
    readonly end: Omit<EndSessionOptions, "sessionId">;
    readonly child: SessionStart;
  },
): ChangedRecords<SessionRecord> {
  const { sessionId } = parent;
  const isKnown = sessions.some((one) => one.session_id === sessionId);
  const started = isKnown ? sessions : withStarted(sessions, parent).sessions;
  const ended = withEnded(started, { ...end, sessionId }).sessions;
  const { sessions: all, record } = withStarted(ended, child);
  return { sessions: keptSessions(all, child), record };
}

function withRecord(
  sessions: readonly SessionRecord[],
  known: SessionRecord,
  change: Partial<SessionRecord>,
): ChangedRecords<SessionRecord> {
  const record = { ...known, ...change };
  return { sessions: sessions.map((one) => one === known ? record : one), record };
}

export function lastNumber(sessions: readonly SessionRecord[], workerId: string): number {
  const own = sessions.filter((one) => one.worker_id === workerId);
  return largestNumber(own.map(({ session_number }) => session_number));
}

/**
 * Ignores numbers at the limit. A foreign lineage can contain such a number, and a record with the next
 * number would be invalid.
 */
function largestNumber(numbers: readonly number[]): number {
  return numbers.reduce((max, one) => one < MAX_NUMBER ? Math.max(max, one) : max, 0);
}

/** Drops expired sessions, except the newest of each worker, and the oldest sessions if too many remain. */
export function keptSessions(
  sessions: readonly SessionRecord[],
  { nowMs, retentionDays }: Pick<SessionStart, "nowMs" | "retentionDays">,
): readonly SessionRecord[] {
  const newest = new Map(sessions.map((one) => [one.worker_id, one.id]));
  const oldest = nowMs - retentionDays * DAY_MS;
  const fresh = sessions.filter((one) =>
    newest.get(one.worker_id) === one.id || !(endOf(one) < oldest)
  );
  return fresh.slice(-MAX_SESSIONS);
}

/**
 * Returns the end in milliseconds; for a session that never started, the time of its announcement; for an open
 * session, `Infinity`.
 */
function endOf(session: SessionRecord): number {
  if (session.ended_at !== null) return Date.parse(session.ended_at);
  return session.session_id === null ? Date.parse(session.started_at) : Infinity;
}
