/** Records a starting session in the lineage, and claims its handoff. */

import { type Lineage, readLineage } from "../saved/lineage/file.ts";
import type { ClaimOptions, FoundHandoff } from "../saved/lineage/handoffs.ts";
import { type SessionRecord, type SessionStart, withStarted } from "../saved/lineage/rows.ts";
import { isUsed } from "../store/paths.ts";
import { isHeadless, type Start } from "./call.ts";

const WAIT_MS = 500;

interface Origin {
  readonly parentSessionId: string | null;
  readonly workerId?: string;
}

/**
 * Claims the handoff of the session just left. If there is no such session, claims the project's newest
 * handoff.
 */
export async function claimHandoffFor(start: Start): Promise<FoundHandoff | null> {
  const { owner, configDir, left, now } = start;
  const { claimHandoff } = await import("../saved/lineage/handoffs.ts");
  const extra = { nowMs: now(), forHeadless: isHeadless(start), waitMs: WAIT_MS };
  const claimOptions = { ...owner, configDir, ...extra };
  if (left === null) return claimHandoff(claimOptions);
  // After `/clear`, the user continues the session just left.
  const { continuableSessions } = await import("./go_on.ts");
  const before = continuableSessions(left, owner.projectDir);
  for (const parent of before) {
    const found = claimHandoff({ ...claimOptions, parent });
    if (found !== null) return found;
  }
  return unusedHandoffOf(before.slice(0, -1), claimOptions);
}

/** Finds a handoff that is still usable, because the session that claimed it has no answer. */
async function unusedHandoffOf(
  idle: readonly string[],
  claimOptions: ClaimOptions,
): Promise<FoundHandoff | null> {
  if (idle.length === 0) return null;
  const { listHandoffs } = await import("../saved/lineage/handoffs.ts");
  const { isOwnSave } = await import("../saved/store.ts");
  const found = listHandoffs(claimOptions.projectDir).find(({ handoff }) =>
    handoff.claimed_by.some((id) => idle.includes(id)) &&
    (claimOptions.forHeadless !== true || handoff.for_headless)
  );
  return found !== undefined && isOwnSave(found, claimOptions) ? found : null;
}

/** Ignores a failure, because the lineage must not delay the model. */
export async function recordSessionStart(
  start: Start,
  extra: Origin,
): Promise<SessionRecord | null> {
  const { owner: { projectDir, sessionId }, transcript = null, now, env } = start;
  try {
    // A program that asks a single question must leave no files in the project.
    if (isHeadless(start) && !isUsed(projectDir)) return null;
    const lineage = readLineage({ projectDir });
    const known = lineage.sessions.find((one) => one.session_id === sessionId);
    const parentSessionId = extra.parentSessionId ?? known?.parent_session_id ?? null;
    const session = { ...extra, sessionId, parentSessionId, transcript };
    if (known !== undefined && isComplete(lineage, known, { ...session, nowMs: now() })) {
      return known;
    }
    const { recordStart } = await import("../saved/lineage/sessions.ts");
    return recordStart({ projectDir, ...session, now: new Date(now()), env }).value;
  } catch {
    return null;
  }
}

/**
 * Whether the lineage is already complete, as after a compaction. The code that writes it is then
 * not loaded.
 */
function isComplete(
  { sessions, problem }: Lineage,
  known: SessionRecord,
  start: Omit<SessionStart, "workerId" | "retentionDays">,
): boolean {
  if (problem !== null || known.transcript !== start.transcript) return false;
  const unchanged = { ...start, workerId: known.worker_id, retentionDays: 0 };
  return withStarted(sessions, unchanged).sessions === sessions;
}
