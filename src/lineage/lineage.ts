/** Lineage: which session came from which, and why. */

import { type EndSessionOptions, lastNumber, withEnded, withStarted } from "./change.ts";
import { changeLineage, type LineageOptions, readLineage } from "./file.ts";
import { type CreateSessionOptions, endOf, startOf, workerName, workerOf } from "./input.ts";
import { keptSessions } from "./rows.ts";
import type { SessionRecord } from "./session_record.ts";

/** A row, and what was found damaged when it was written. */
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
 * import { createSession, getCurrentSessionNumber } from "./lineage.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * createSession({ projectDir, sessionId: "a", workerId: "w" });
 * const second = createSession({ projectDir, sessionId: "b", parentSessionId: "a", workerId: "w" });
 * assertEquals(second.session_number, 2);
 * assertEquals(getCurrentSessionNumber("w", { projectDir }), 2);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function createSession(options: CreateSessionOptions): WrittenSession {
  const start = startOf(options);
  const { value, warning } = changeLineage(options, (sessions) => {
    const { record, sessions: all } = withStarted(sessions, start);
    if (all === sessions) return { sessions: null, value: record };
    return { sessions: keptSessions(all, start), value: record };
  });
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
 * import { createSession, endSession } from "./lineage.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * createSession({ projectDir, sessionId: "a" });
 * const ended = endSession({ projectDir, sessionId: "a", reason: "rollover", contextAtEnd: 75 });
 * assertEquals([ended.end_reason, ended.context_at_end], ["rollover", 75]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function endSession(options: EndSessionOptions): WrittenSession {
  const end = endOf(options);
  const { value, warning } = changeLineage(options, (sessions) => {
    const { record, sessions: all } = withEnded(sessions, end);
    return { sessions: all === sessions ? null : all, value: record };
  });
  if (value === null) {
    const name = options.id === undefined
      ? `session ${JSON.stringify(options.sessionId ?? null)}`
      : `the session of row ${options.id}`;
    throw new UnknownSessionError(`Cannot end ${name}: it is not in the lineage`);
  }
  return warning === undefined ? value : { ...value, warning };
}

/**
 * Tells the number of a worker's newest session.
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

/**
 * Lists the sessions of a project.
 *
 * Permissions: `--allow-read` for `<project>/.claude/trimtab`.
 *
 * @param options The project.
 * @returns Their rows, in the order in which they started.
 * @throws {Error} Whatever the system says when there is a file that cannot be read.
 */
export function listSessions(options: LineageOptions = {}): SessionRecord[] {
  return [...readLineage(options).sessions];
}

/**
 * Follows a session back to the first that it comes from.
 *
 * Permissions: `--allow-read` for `<project>/.claude/trimtab`.
 *
 * @param sessionId The session.
 * @param options The project.
 * @returns The session, its parent, and so on, as far as the lineage knows them; none where it does
 * not know the session.
 * @throws {Error} Whatever the system says when there is a file that cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createSession, lineageOf } from "./lineage.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * createSession({ projectDir, sessionId: "a" });
 * createSession({ projectDir, sessionId: "b", parentSessionId: "a" });
 * assertEquals(lineageOf("b", { projectDir }).map((one) => one.session_id), ["b", "a"]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function lineageOf(sessionId: string, options: LineageOptions = {}): SessionRecord[] {
  const byId = new Map(listSessions(options).map((one) => [one.session_id, one]));
  const line: SessionRecord[] = [];
  let id: string | null = sessionId;
  while (id !== null) {
    const record: SessionRecord | undefined = byId.get(id);
    // A session that somebody made its own ancestor would otherwise be followed for ever.
    if (record === undefined || line.includes(record)) break;
    line.push(record);
    id = record.parent_session_id;
  }
  return line;
}
