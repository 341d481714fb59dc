/**
 * What a rollover means for sessions that start after it.
 *
 * @module
 */

import { buildContinuationPrompt, handoffIn } from "./continuation.ts";
import { readLineage } from "./lineage_file.ts";
import type { ClaimedHandoff } from "./waiting.ts";
import { listFiles } from "./waiting_files.ts";

/**
 * Tells whether a session ended in a rollover: what it saved is then for the session that gets its
 * handoff, and for no other.
 *
 * Permissions: `--allow-read` for `<projectDir>/.claude/trimtab`.
 *
 * @param sessionId The session.
 * @param projectDir The folder of the project.
 * @returns Whether it did, and has not been taken up again since.
 * @throws {Error} Whatever the system says when there is a file that cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isRolledOver } from "./rolled_over.ts";
 *
 * assertEquals(isRolledOver("b82405ba-0000-4000-8000-000000000000", "/nowhere"), false);
 * ```
 */
export function isRolledOver(sessionId: string, projectDir: string): boolean {
  const { sessions } = readLineage({ projectDir });
  const record = sessions.find((one) => one.session_id === sessionId);
  if (record !== undefined) return record.end_reason === "rollover";
  return listFiles(projectDir).some(({ note }) => note.parent_session_id === sessionId);
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
