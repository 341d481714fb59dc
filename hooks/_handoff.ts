/**
 * The lineage of a session that starts, and the handoff that waits for it.
 *
 * @module
 */

import { hookOutput } from "../src/inject/output.ts";
import { createSession, listSessions } from "../src/rollover/lineage.ts";
import type { SessionRecord } from "../src/rollover/session_record.ts";
import { handoffContext } from "../src/rollover/rolled_over.ts";
import { claimHandoff } from "../src/rollover/waiting.ts";
import { isUsed } from "./_owner.ts";
import { EVENT, type Start } from "./_start.ts";

/** How long a hook waits for other writers, in milliseconds. */
const WAIT_MS = 500;

/** Starts that begin with an empty window. */
const FRESH = new Set(["startup", "clear"]);

/**
 * Takes the handoff that waits for a session: that of the session just left, else, at a start in the
 * project, the newest.
 *
 * @param start The session.
 * @returns What to print; null where there is no handoff for it.
 */
export function handoffFor(start: Start): string | null {
  const { owner, source, left, config, isHeadless, nowMs } = start;
  if (!FRESH.has(source)) return null;
  const { projectDir, sessionId } = owner;
  const handoff = claimHandoff({
    projectDir,
    sessionId,
    nowMs,
    parent: left,
    // Who has left another session goes on from that one.
    orNewest: left === null,
    forHeadless: isHeadless,
    waitMs: WAIT_MS,
  });
  if (handoff === null) return null;
  const { parent_session_id: parentSessionId, worker_id: workerId, title } = handoff;
  const record = written(start, { parentSessionId, workerId });
  const context = handoffContext(handoff, {
    maxChars: config.restore_max_chars,
    ...(record === null ? {} : { sessionNumber: record.session_number }),
  });
  return hookOutput({ event: EVENT, context: [context], title });
}

/**
 * Writes a session down that starts without a handoff.
 *
 * @param start The session.
 */
export function noteStart(start: Start): void {
  written(start, { parentSessionId: start.left });
}

/** The lineage is for looking back: that it cannot be written must not keep anything from the model. */
function written(
  start: Start,
  more: { readonly parentSessionId: string | null; readonly workerId?: string },
): SessionRecord | null {
  const { owner, transcript, isHeadless, nowMs, env } = start;
  const { projectDir, sessionId } = owner;
  try {
    // A program that asks one question in some folder leaves nothing behind there.
    if (isHeadless && !isUsed(projectDir)) return null;
    const known = listSessions({ projectDir }).find((one) => one.session_id === sessionId);
    return createSession({
      projectDir,
      sessionId,
      parentSessionId: more.parentSessionId ?? known?.parent_session_id ?? null,
      ...(more.workerId === undefined ? {} : { workerId: more.workerId }),
      transcript: transcript === "" ? null : transcript,
      now: new Date(nowMs),
      env,
    });
  } catch {
    return null;
  }
}
