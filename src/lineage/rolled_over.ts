/**
 * What a rollover means for sessions that start after it.
 *
 * @module
 */

import { buildContinuationPrompt, handoffIn } from "./continuation.ts";
import { readLineage } from "./file.ts";
import type { ClaimedHandoff } from "./waiting.ts";
import { listFiles } from "./waiting_files.ts";

/** The turn that rolls over ends soon after, and may save once more, in milliseconds. */
const SAME_TURN_MS = 2 * 60_000;

/**
 * Tells whether what a session saved was handed over: it is for the session that gets the handoff,
 * and for no other. What it saved later, because it was taken up again, is not.
 *
 * Permissions: `--allow-read` for `<projectDir>/.claude/trimtab`.
 *
 * @param sessionId The session.
 * @param savedMs When it saved, in milliseconds since 1970.
 * @param projectDir The folder of the project.
 * @returns Whether it was.
 * @throws {Error} Whatever the system says when there is a file that cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isHandedOver } from "./rolled_over.ts";
 *
 * assertEquals(isHandedOver("b82405ba-0000-4000-8000-000000000000", 0, "/nowhere"), false);
 * ```
 */
export function isHandedOver(sessionId: string, savedMs: number, projectDir: string): boolean {
  const record = readLineage({ projectDir }).sessions.find((one) => one.session_id === sessionId);
  const times = listFiles(projectDir).filter(({ note }) => note.parent_session_id === sessionId)
    .map(({ note }) => note.created);
  if (record?.end_reason === "rollover" && record.ended_at !== null) times.push(record.ended_at);
  return times.some((time) => savedMs <= Date.parse(time) + SAME_TURN_MS);
}

/**
 * Words a handoff as the context of the session that got it. What a person changed in the prompt's
 * file between the marks of the handoff counts.
 *
 * Permissions: none.
 *
 * @param handoff The handoff.
 * @param room The most UTF-16 code units, and the number of the session where it is another than the
 * one that was announced.
 * @returns The context, the same for the same handoff.
 */
export function handoffContext(
  handoff: ClaimedHandoff,
  room: { readonly maxChars: number; readonly sessionNumber?: number },
): string {
  return buildContinuationPrompt({
    sessionNumber: room.sessionNumber ?? handoff.session_number,
    issue: handoff.issue,
    percent: handoff.percent,
    summary: handoffIn(handoff.prompt) ?? handoff.prompt,
    parentSessionId: handoff.parent_session_id,
    workerId: handoff.worker_id,
    hasEpisodicMemory: handoff.has_episodic_memory,
    checkpointId: handoff.checkpoint,
    maxChars: room.maxChars,
  });
}
