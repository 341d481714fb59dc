/**
 * Writes a trimmed copy down in the lineage. The command and the `/trim` hook share it.
 *
 * @module
 */

import { createSession, endSession } from "../src/rollover/lineage.ts";
import type { TrimSessionResult } from "../src/trim/trim_session.ts";

/**
 * Writes down that a session was trimmed. A copy that could not be written down is a copy all the same.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/trimtab`.
 *
 * @param projectDir The folder of the project.
 * @param result What the trim did.
 * @param now When it did.
 */
export function noteTrim(
  projectDir: string,
  result: TrimSessionResult,
  now: Date = new Date(),
): void {
  if (result.dry_run) return;
  const { parent_session_id: parent, session_id: copy, percent, output } = result;
  try {
    const own = { projectDir, now };
    createSession({ ...own, sessionId: parent });
    endSession({ ...own, sessionId: parent, reason: "trim", contextAtEnd: percent.before });
    createSession({ ...own, sessionId: copy, parentSessionId: parent, transcript: output });
  } catch {
    // A project that cannot be written to, most likely: the lineage is for looking back.
  }
}
