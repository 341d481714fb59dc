/** Records a starting session in the lineage, and claims its handoff. */

import { type Lineage, readLineage } from "../saved/lineage/file.ts";
import type { FoundHandoff } from "../saved/lineage/handoffs.ts";
import { type SessionRecord, type SessionStart, withStarted } from "../saved/lineage/rows.ts";
import { usesTrimtab } from "../store/paths.ts";
import { isHeadless, type Start } from "./call.ts";

const WAIT_MS = 500;

interface Origin {
  readonly parentSessionId: string | null;
  readonly workerId?: string;
}

/**
 * Claims the handoff of the session just left or, if the assistant never answered in that session, of an
 * ancestor. If the session just left is unknown, claims the project's newest handoff.
 */
export async function claimHandoffFor(start: Start): Promise<FoundHandoff | null> {
  const { owner, configDir, replacedId, now } = start;
  const { claimHandoff, isFresh, listHandoffs } = await import("../saved/lineage/handoffs.ts");
  const { projectDir } = owner;
  if (!listHandoffs(projectDir).some((one) => isFresh(one, now()))) return null;
  const { continuableSessions, isUnusedSession } = await import("./earlier_work.ts");
  const claimOptions = {
    ...owner,
    configDir,
    nowMs: now(),
    forHeadless: isHeadless(start),
    waitMs: WAIT_MS,
    // If the user quits before the first answer, the next session can claim the handoff again.
    isUnused: (id: string) => isUnusedSession(id, { projectDir, replacedId }),
  };
  if (replacedId === null) return claimHandoff(claimOptions);
  // After `/clear`, the user continues the session just left.
  for (const parent of continuableSessions(replacedId, projectDir)) {
    const found = claimHandoff({ ...claimOptions, parent });
    if (found !== null) return found;
  }
  return null;
}

/** Ignores a failure, because the session must start even without the lineage. */
export async function recordSessionStart(
  start: Start,
  extra: Origin,
): Promise<SessionRecord | null> {
  const { owner: { projectDir, sessionId }, transcript = null, now, env } = start;
  try {
    // A headless run, which may ask only one question, must not leave files in the project.
    if (isHeadless(start) && !usesTrimtab(projectDir)) return null;
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
 * Whether the lineage is already complete, for example after a compaction. If so, the code that writes it is
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
