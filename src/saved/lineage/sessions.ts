/** Records in the lineage which session each session continues. */

import { DEFAULT_CONFIG } from "../../config/schema.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { type EnvReader, readEnv } from "../../store/paths.ts";
import { changeLineage, type LineageOutcome, readLineage } from "./file.ts";
import {
  keptSessions,
  type LineageOptions,
  type SessionRecord,
  type SessionStart,
  withStarted,
} from "./rows.ts";

export const MAIN_WORKER = "main";

const WORKER_VARIABLE = "WORK_WORKER_ID";

const MAX_NAME_CHARS = 200;

const MAX_PATH_CHARS = 4_096;

/** Options for `createSession()`. */
export interface CreateSessionOptions extends LineageOptions {
  /**
   * The session's id; null if it is not known yet. The record is then reused by the next session with the
   * same parent. If there is no parent, it is reused by the worker's next session that has no parent either.
   *
   * @default {null}
   */
  readonly sessionId?: string | null;
  /** The session that this one continues. @default {null} */
  readonly parentSessionId?: string | null;
  /** The session's worker. @default {workerOf(env)} */
  readonly workerId?: string | number;
  /** The transcript's path. @default {null} */
  readonly transcript?: string | null;
  /** Time of the start. @default {new Date()} */
  readonly now?: Date;
  /** Retention of ended sessions, in days. @default {7} */
  readonly retentionDays?: number;
  /** Reads environment variables. @default {readEnv} */
  readonly env?: EnvReader;
}

export function recordStart(options: CreateSessionOptions): LineageOutcome<SessionRecord> {
  const start = startOf(options);
  return changeLineage(options, (sessions) => {
    const { record, sessions: all } = withStarted(sessions, start);
    return { sessions: all === sessions ? all : keptSessions(all, start), record };
  });
}

/** Returns a session and its known ancestors, newest first. */
export function lineageOf(sessionId: string, options: LineageOptions = {}): SessionRecord[] {
  const byId = new Map(readLineage(options).sessions.map((one) => [one.session_id, one]));
  const ancestry: SessionRecord[] = [];
  let id: string | null = sessionId;
  while (id !== null) {
    const record: SessionRecord | undefined = byId.get(id);
    // An edited file can contain a cycle.
    if (record === undefined || ancestry.includes(record)) break;
    ancestry.push(record);
    id = record.parent_session_id;
  }
  return ancestry;
}

export function workerOf(env: EnvReader = readEnv): string {
  const named = env(WORKER_VARIABLE);
  return named === undefined ? MAIN_WORKER : workerName(named);
}

export function startOf(options: CreateSessionOptions): SessionStart {
  const { sessionId = null, parentSessionId = null } = options;
  const { transcript = null, now = new Date() } = options;
  return {
    sessionId: checkId(sessionId),
    parentSessionId: parentSessionId === sessionId ? null : checkId(parentSessionId),
    workerId: options.workerId === undefined ? workerOf(options.env) : workerName(options.workerId),
    transcript: transcript === null || transcript === "" || transcript.length > MAX_PATH_CHARS
      ? null
      : redactSecrets(transcript),
    nowMs: now.getTime(),
    retentionDays: options.retentionDays ?? DEFAULT_CONFIG.context.retention_days,
  };
}

export function workerName(workerId: string | number): string {
  return excerptLine(String(workerId), MAX_NAME_CHARS) || MAIN_WORKER;
}

function checkId(id: string | null): string | null {
  if (id === null || (id !== "" && id.length <= MAX_NAME_CHARS)) return id;
  throw new RangeError(
    `Cannot record session: its id has ${id.length} characters, expected 1 to ${MAX_NAME_CHARS}`,
  );
}
