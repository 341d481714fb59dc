import { excerpt } from "../inject/excerpt.ts";
import { readLineage, recordEnd } from "../saved/lineage/file.ts";
import {
  END_REASONS,
  type EndSessionOptions,
  lastNumber,
  type LineageOptions,
  MAX_SUMMARY_CHARS,
  type SessionRecord,
} from "../saved/lineage/rows.ts";
import {
  type CreateSessionOptions,
  recordStart,
  workerName,
  workerOf,
} from "../saved/lineage/sessions.ts";

/** A session's record, and a warning if the lineage file was damaged. */
export interface WrittenSession extends SessionRecord {
  /** Describes the repair of the file; missing if there was no repair. */
  readonly warning?: string;
}

/** Thrown if the lineage does not contain a session. */
export class UnknownSessionError extends Error {
  /** The name of the class. */
  override name = "UnknownSessionError";
}

/**
 * Records the start of a session. If the lineage already contains the session, its record is reopened, and gets
 * the path of the transcript and, if it has no parent yet, the parent. A session that continues after a
 * rollover reuses the record that the rollover announced. A program that starts sessions may record a session
 * before its id is known.
 *
 * Permissions: `--allow-read` for the project, `--allow-write` for `<project>/.claude/trimtab`; to find the
 * project also `--allow-env`.
 *
 * @returns The session's record. A new record's number is the worker's highest number plus one.
 * @throws {RangeError} When the session's id is empty or too long.
 * @throws {Error} When the lineage cannot be written; it is then unchanged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createSession } from "./sessions.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * createSession({ projectDir, sessionId: "a", workerId: "w" });
 * const second = createSession({ projectDir, sessionId: "b", parentSessionId: "a", workerId: "w" });
 * assertEquals(second.session_number, 2);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function createSession(options: CreateSessionOptions): WrittenSession {
  const { value, warning } = recordStart(options);
  return warning === undefined ? value : { ...value, warning };
}

/**
 * Records the end of a session. If the session has already ended, only the reasons `rollover`, `trim` and
 * `rescue` replace the earlier end.
 *
 * Permissions: `--allow-read` for the project, `--allow-write` for `<project>/.claude/trimtab`; to find the
 * project also `--allow-env`.
 *
 * @returns The session's record.
 * @throws {UnknownSessionError} When the lineage does not contain the session.
 * @throws {RangeError} When the reason is not an {@linkcode EndReason}, or `contextAtEnd` is not a finite
 * number.
 * @throws {Error} When the lineage cannot be written; it is then unchanged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createSession, endSession } from "./sessions.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * createSession({ projectDir, sessionId: "a" });
 * const ended = endSession({ projectDir, sessionId: "a", reason: "rollover", contextAtEnd: 75 });
 * assertEquals([ended.end_reason, ended.context_at_end], ["rollover", 75]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function endSession(options: EndSessionOptions): WrittenSession {
  const { reason, contextAtEnd = null, summary = null } = options;
  // An unknown reason would make the record invalid, and the next reader would drop it.
  if (!END_REASONS.includes(reason)) {
    const given = JSON.stringify(reason);
    throw new RangeError(
      `Cannot end session: reason is ${given}, expected one of ${END_REASONS.join(", ")}`,
    );
  }
  if (contextAtEnd !== null && !Number.isFinite(contextAtEnd)) {
    throw new RangeError(
      `Cannot end session: contextAtEnd is ${contextAtEnd}, expected a percentage`,
    );
  }
  const end = summary === null ? {} : { summary: excerpt(summary, MAX_SUMMARY_CHARS) };
  const { value, warning } = recordEnd({ ...options, ...end });
  if (value === null) {
    const name = options.id === undefined
      ? `session ${JSON.stringify(options.sessionId ?? null)}`
      : `the session with record ${options.id}`;
    throw new UnknownSessionError(`Cannot end ${name}: it is not in the lineage`);
  }
  return warning === undefined ? value : { ...value, warning };
}

/**
 * Returns the highest number of a worker's sessions, including announced ones; 0 if there are none.
 *
 * Permissions: `--allow-read` for `<project>/.claude`; to find the project and the worker also `--allow-env`.
 *
 * @param workerId Defaults to the variable `WORK_WORKER_ID` or, if it is unset, to `main`.
 * @throws {Error} When the lineage exists but cannot be read.
 */
export function getCurrentSessionNumber(
  workerId: string | number = workerOf(),
  options: LineageOptions = {},
): number {
  return lastNumber(readLineage(options).sessions, workerName(workerId));
}
