/** The lineage of sessions, for programs. */

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

/** A row, and the damage found when it was written. */
export interface WrittenSession extends SessionRecord {
  /** The repair, in a sentence; missing if there was none. */
  readonly warning?: string;
}

/** A session that the lineage does not know. */
export class UnknownSessionError extends Error {
  /** The name of the class. */
  override name = "UnknownSessionError";
}

/**
 * Writes down that a session starts. One that is open already stays as it is, one that ended is open
 * again, and one that goes on from a rollover takes the row that the rollover announced. A program that
 * starts sessions may write one down before it knows its id.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab`.
 *
 * @param options The session, where it comes from, whose it is.
 * @returns Its row; its number is one more than the last of its worker.
 * @throws {RangeError} When the session's id is empty or too long.
 * @throws {Error} When the lineage cannot be written; it is then as it was.
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
 * Writes down that a session ended. One that ended already keeps its end, unless a rollover or a trim
 * says more about it.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab`.
 *
 * @param options The session, and how it ended.
 * @returns Its row.
 * @throws {UnknownSessionError} When the lineage does not know it.
 * @throws {RangeError} When the reason is none of {@linkcode END_REASONS}, or the percent is no number.
 * @throws {Error} When the lineage cannot be written; it is then as it was.
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
  // The next reader would take a row with any other reason for damage, and drop it.
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
  const end = summary === null ? {} : { summary: excerpt(summary, MAX_SUMMARY_CHARS) };
  const { value, warning } = recordEnd({ ...options, ...end });
  if (value === null) {
    const name = options.id === undefined
      ? `session ${JSON.stringify(options.sessionId ?? null)}`
      : `the session of row ${options.id}`;
    throw new UnknownSessionError(`Cannot end ${name}: it is not in the lineage`);
  }
  return warning === undefined ? value : { ...value, warning };
}

/**
 * Returns the number of a worker's newest session.
 *
 * Permissions: `--allow-read` for `<project>/.claude/trimtab`.
 *
 * @param workerId The worker; left out, the one of `WORK_WORKER_ID`, else `main`.
 * @param options The project.
 * @returns The number, also of a session that was announced; 0 when there is none.
 * @throws {Error} Whatever the system says when there is a file that cannot be read.
 */
export function getCurrentSessionNumber(
  workerId: string | number = workerOf(),
  options: LineageOptions = {},
): number {
  return lastNumber(readLineage(options).sessions, workerName(workerId));
}
