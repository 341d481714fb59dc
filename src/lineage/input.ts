/** What callers say of a session, made fit to be written down. */

import { excerpt, excerptLine } from "../extract/excerpt.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { type EnvReader, readEnv } from "../store/paths.ts";
import type { EndSessionOptions, SessionStart } from "./change.ts";
import type { LineageOptions } from "./file.ts";
import { END_REASONS } from "./session_record.ts";

export const MAIN_WORKER = "main";

const WORKER_VARIABLE = "WORK_WORKER_ID";

/** The most UTF-16 code units of a summary in the lineage; the handoff's own file holds all of it. */
export const MAX_SUMMARY_CHARS = 4_000;

/** The most UTF-16 code units of a worker's name and of a session's id. */
const MAX_NAME_CHARS = 200;

/** The most UTF-16 code units of a path. */
const MAX_PATH_CHARS = 4_096;

/** Sessions are kept so long, in days. */
const RETENTION_DAYS = 7;

/** Options of `createSession()`. */
export interface CreateSessionOptions extends LineageOptions {
  /**
   * The session; null where its id is not known before it starts. The session that goes on from the
   * parent, else the next one of the worker that goes on from none, then takes the row.
   *
   * @default {null}
   */
  readonly sessionId?: string | null;
  /** The session that it goes on from. @default {null} */
  readonly parentSessionId?: string | null;
  /** Whose session it is. @default {workerOf(env)} */
  readonly workerId?: string | number;
  /** The path of its transcript. @default {null} */
  readonly transcript?: string | null;
  /** When it starts. @default {new Date()} */
  readonly now?: Date;
  /** Days for which ended sessions are kept. @default {7} */
  readonly retentionDays?: number;
  /** Where environment variables are looked up. @default {readEnv} */
  readonly env?: EnvReader;
}

export function workerOf(env: EnvReader = readEnv): string {
  const named = env(WORKER_VARIABLE);
  return named === undefined ? MAIN_WORKER : workerName(named);
}

export function startOf(options: CreateSessionOptions): SessionStart {
  const { sessionId = null, parentSessionId = null } = options;
  const { transcript = null, now = new Date() } = options;
  return {
    sessionId: checkedId(sessionId),
    // A session is never its own parent, whoever says so; null is no session.
    parentSessionId: parentSessionId === sessionId ? null : checkedId(parentSessionId),
    workerId: options.workerId === undefined ? workerOf(options.env) : workerName(options.workerId),
    transcript: transcript === null || transcript === "" || transcript.length > MAX_PATH_CHARS
      ? null
      : redactSecrets(transcript),
    nowMs: now.getTime(),
    retentionDays: options.retentionDays ?? RETENTION_DAYS,
  };
}

export function endOf(options: EndSessionOptions): EndSessionOptions {
  const { reason, contextAtEnd = null } = options;
  // A row with anything else would be taken for damage by whoever reads it next, and be lost.
  if (!END_REASONS.includes(reason)) {
    throw new RangeError(
      `Cannot end session: reason is ${JSON.stringify(reason)}, expected one of ${
        END_REASONS.join(", ")
      }`,
    );
  }
  if (contextAtEnd !== null && !Number.isFinite(contextAtEnd)) {
    throw new RangeError(`Cannot end session: contextAtEnd is ${contextAtEnd}, expected a percent`);
  }
  const { summary = null } = options;
  return summary === null ? options : { ...options, summary: excerpt(summary, MAX_SUMMARY_CHARS) };
}

export function workerName(workerId: string | number): string {
  return excerptLine(String(workerId), MAX_NAME_CHARS) || MAIN_WORKER;
}

function checkedId(id: string | null): string | null {
  if (id === null || (id !== "" && id.length <= MAX_NAME_CHARS)) return id;
  throw new RangeError(
    `Cannot record session: its id has ${id.length} characters, expected 1 to ${MAX_NAME_CHARS}`,
  );
}
