/** The lineage of a session that starts, and the handoff that waits for it. */

import { withStarted } from "../lineage/change.ts";
import { type Lineage, readLineage } from "../lineage/file.ts";
import type { SessionRecord } from "../lineage/session_record.ts";
import type { ClaimedHandoff, ClaimOptions } from "../lineage/waiting.ts";
import { isUsed } from "../store/paths.ts";
import type { Start } from "./started.ts";

/** The longest wait for other writers, in milliseconds. */
const WAIT_MS = 500;

/** Starts that begin with an empty window. */
const FRESH = new Set(["startup", "clear"]);

/**
 * Takes the handoff that waits for a session: that of the session just left, else, at a start in
 * the project, the newest.
 */
export async function handoffFor(start: Start): Promise<string | null> {
  if (!FRESH.has(start.source)) return null;
  const handoff = await claimed(start);
  if (handoff === null) return null;
  const { parent_session_id: parentSessionId, worker_id: workerId } = handoff;
  const record = await written(start, { parentSessionId, workerId });
  const { wordsOf } = await import("./taken.ts");
  return wordsOf(handoff, start, record?.session_number);
}

async function claimed(
  { owner, configDir, left, isHeadless, nowMs }: Start,
): Promise<ClaimedHandoff | null> {
  const { claimHandoff } = await import("../lineage/waiting.ts");
  const { projectDir, sessionId } = owner;
  const more = { nowMs, forHeadless: isHeadless, waitMs: WAIT_MS };
  const ask = { projectDir, configDir, sessionId, ...more };
  if (left === null) return claimHandoff(ask);
  // A user who has left another session goes on from that one.
  const { workBefore } = await import("./left.ts");
  const before = workBefore(left, projectDir);
  for (const parent of before) {
    const handoff = claimHandoff({ ...ask, parent, orNewest: false });
    if (handoff !== null) return handoff;
  }
  return unusedBy(before.slice(0, -1), ask);
}

/** A handoff that went to a session in which nothing happened is still to be taken up. */
async function unusedBy(
  idle: readonly string[],
  ask: ClaimOptions,
): Promise<ClaimedHandoff | null> {
  if (idle.length === 0) return null;
  const { findHandoff, listHandoffs } = await import("../lineage/waiting.ts");
  const note = listHandoffs(ask.projectDir, ask.nowMs).find((one) =>
    one.claimed_by.some((id) => idle.includes(id)) && (!ask.forHeadless || one.for_headless)
  );
  if (note === undefined) return null;
  const found = findHandoff(ask, note.parent_session_id);
  return found?.isOurs === true ? found : null;
}

/** Writes a session down that starts without a handoff. */
export async function noteStart(start: Start): Promise<void> {
  await written(start, { parentSessionId: start.left });
}

/** Where a session comes from, and whose it is. */
interface Origin {
  readonly parentSessionId: string | null;
  readonly workerId?: string;
}

/** The lineage is for looking back: that it cannot be written must not keep anything from the model. */
async function written(start: Start, more: Origin): Promise<SessionRecord | null> {
  const { owner, transcript, isHeadless, nowMs, env } = start;
  const { projectDir, sessionId } = owner;
  try {
    // A program that asks one question in some folder leaves nothing behind there.
    if (isHeadless && !isUsed(projectDir)) return null;
    const lineage = readLineage({ projectDir });
    const known = lineage.sessions.find((one) => one.session_id === sessionId);
    const parentSessionId = more.parentSessionId ?? known?.parent_session_id ?? null;
    if (known !== undefined && saysIt(lineage, known, { start, parentSessionId })) return known;
    const { createSession } = await import("../lineage/lineage.ts");
    return createSession({
      projectDir,
      sessionId,
      parentSessionId,
      ...(more.workerId === undefined ? {} : { workerId: more.workerId }),
      transcript: transcript === "" ? null : transcript,
      now: new Date(nowMs),
      env,
    });
  } catch {
    return null;
  }
}

/** Whether the lineage says it already, as after a compaction: then nothing that writes is loaded. */
function saysIt(
  { sessions, problem }: Lineage,
  known: SessionRecord,
  { start, parentSessionId }: { readonly start: Start; readonly parentSessionId: string | null },
): boolean {
  if (problem !== null || known.transcript !== start.transcript) return false;
  const { worker_id: workerId, session_id: sessionId, transcript } = known;
  const same = { sessionId, parentSessionId, workerId, transcript, nowMs: start.nowMs };
  return withStarted(sessions, { ...same, retentionDays: 0 }).sessions === sessions;
}
