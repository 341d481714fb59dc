/** Records a starting session in the lineage, and claims its handoff. */

import { type Lineage, readLineage } from "../saved/lineage/file.ts";
import type { ClaimOptions, FoundHandoff } from "../saved/lineage/handoffs.ts";
import { type SessionRecord, withStarted } from "../saved/lineage/rows.ts";
import { isUsed } from "../store/paths.ts";
import { isHeadless, type Start } from "./call.ts";

const WAIT_MS = 500;

interface Origin {
  readonly parentSessionId: string | null;
  readonly workerId?: string;
}

/**
 * Claims the handoff of the session that was just left. If there is no such session, claims the newest
 * handoff of the project.
 */
export async function claimedHandoff(
  start: Start,
): Promise<{ found: FoundHandoff; parentSessionId: string; workerId: string } | null> {
  const found = await claimed(start);
  if (found === null) return null;
  return { found, parentSessionId: found.id, workerId: found.handoff.worker_id };
}

async function claimed(start: Start): Promise<FoundHandoff | null> {
  const { owner, configDir, left, now } = start;
  const { claimHandoff } = await import("../saved/lineage/handoffs.ts");
  const more = { nowMs: now(), forHeadless: isHeadless(start), waitMs: WAIT_MS };
  const ask = { ...owner, configDir, ...more };
  if (left === null) return claimHandoff(ask);
  // After `/clear`, the user continues the session that was left.
  const { continuableSessions } = await import("./go_on.ts");
  const before = continuableSessions(left, owner.projectDir);
  for (const parent of before) {
    const found = claimHandoff({ ...ask, parent, orNewest: false });
    if (found !== null) return found;
  }
  return unusedHandoffOf(before.slice(0, -1), ask);
}

/** Finds a handoff that was claimed only by a session without an answer. Such a handoff can still be used. */
async function unusedHandoffOf(
  idle: readonly string[],
  ask: ClaimOptions,
): Promise<FoundHandoff | null> {
  if (idle.length === 0) return null;
  const { listHandoffs } = await import("../saved/lineage/handoffs.ts");
  const { isOwnSave } = await import("../saved/store.ts");
  const found = listHandoffs(ask.projectDir).find(({ handoff }) =>
    handoff.claimed_by.some((id) => idle.includes(id)) &&
    (ask.forHeadless !== true || handoff.for_headless)
  );
  return found !== undefined && isOwnSave(found, ask) ? found : null;
}

/** Ignores a failure, because the lineage must not delay the model. */
export async function noteStart(start: Start, more: Origin): Promise<SessionRecord | null> {
  const { owner: { projectDir, sessionId }, transcript = null, now, env } = start;
  try {
    // A program that asks a single question must leave no files in the project.
    if (isHeadless(start) && !isUsed(projectDir)) return null;
    const lineage = readLineage({ projectDir });
    const known = lineage.sessions.find((one) => one.session_id === sessionId);
    const parentSessionId = more.parentSessionId ?? known?.parent_session_id ?? null;
    const session = { sessionId, parentSessionId, transcript };
    if (known !== undefined && isComplete(lineage, known, { ...session, nowMs: now() })) {
      return known;
    }
    const { recordStart } = await import("../saved/lineage/sessions.ts");
    return recordStart({
      projectDir,
      ...session,
      ...(more.workerId === undefined ? {} : { workerId: more.workerId }),
      now: new Date(now()),
      env,
    }).value;
  } catch {
    return null;
  }
}

/**
 * Whether the lineage is already complete, as after a compaction. Then the code that writes it is not loaded.
 */
function isComplete(
  { sessions, problem }: Lineage,
  known: SessionRecord,
  start: {
    sessionId: string;
    parentSessionId: string | null;
    transcript: string | null;
    nowMs: number;
  },
): boolean {
  if (problem !== null || known.transcript !== start.transcript) return false;
  const same = { ...start, workerId: known.worker_id, retentionDays: 0 };
  return withStarted(sessions, same).sessions === sessions;
}
