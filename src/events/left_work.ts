/** Reads the work of a session that was left. Loaded only if a new session continues from it. */

import type { WorkState } from "../core/work_state.ts";
import { currentRequests } from "../layout/prompts.ts";
import { type FoundHandoff, isHandedOver } from "../saved/lineage/handoffs.ts";
import { findRestorePoint } from "../saved/restore_point.ts";
import { stateOf } from "../saved/save.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import type { FoundSave } from "../saved/store.ts";
import { readSessionState } from "../store/state.ts";
import { findSession, SessionNotFoundError } from "../transcript/find.ts";
import type { Start } from "./call.ts";

/**
 * Saves the session just left if it continued earlier work, which would otherwise end with it. Returns null if
 * there is no such session.
 */
export function saveLeftWork(start: Start): FoundSave | null {
  const { left, owner: { projectDir }, configDir, config, now } = start;
  if (left === null) return null;
  const owner = { projectDir, sessionId: left };
  if (readSessionState(owner).continues === undefined) return null;
  // Work that was handed over belongs to the session that takes the handoff.
  if (isHandedOver(left, 0, projectDir)) return null;
  const transcript = transcriptOf(left, start);
  if (transcript === null) return null;
  checkpointSession({
    owner,
    transcript,
    configDir,
    trigger: "watcher",
    usagePercent: null,
    retentionDays: config.retention_days,
    now,
    activeOnly: true,
  });
  return findRestorePoint({ projectDir, configDir }, { accepts: (id) => id === left });
}

/** Returns the work of the handoff's session if its user asked for more after the handoff. */
export function workAfterHandoff(
  { id, save }: FoundHandoff,
  start: Start,
): WorkState | undefined {
  try {
    const transcript = transcriptOf(id, start);
    if (transcript === null) return undefined;
    const { configDir } = start;
    const owner = { ...start.owner, sessionId: id };
    const work = sessionWorkState({ owner, transcript, configDir, activeOnly: true });
    const [before, now] = [stateOf(save), work].map((state) => currentRequests(state).at(-1)?.text);
    return before === now ? undefined : work;
  } catch {
    // The handoff is already claimed, so an unreadable file must not keep it from the model.
    return undefined;
  }
}

/** Finds a transcript in the client's own folder, because a project's lineage may name any file. */
function transcriptOf(sessionId: string, { configDir, owner }: Start): string | null {
  try {
    return findSession(sessionId, { configDir, cwd: owner.projectDir }).path;
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null;
    throw error;
  }
}
