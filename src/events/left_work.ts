/** Reads and saves the work of an earlier session. Loaded only if a new session continues it. */

import type { WorkState } from "../core/work_state.ts";
import { type FoundHandoff, isHandedOver } from "../saved/lineage/handoffs.ts";
import { findRestorePoint } from "../saved/restore_point.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import type { FoundSave } from "../saved/store.ts";
import { openFileSync } from "../store/read_file.ts";
import { readSessionState } from "../store/state.ts";
import { asString, readEntries } from "../transcript/entry.ts";
import { findSessionOrNull } from "../transcript/find.ts";
import { isRebuilt } from "../transcript/in_place.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import { promptWords } from "../transcript/own_words.ts";
import type { Start } from "./call.ts";

/** Saves the session just left if it continued earlier work that was not handed over. */
export function saveLeftWork(start: Start): FoundSave | null {
  const { replacedId: sessionId, owner: { projectDir } } = start;
  if (sessionId === null) return null;
  if (readSessionState({ projectDir, sessionId }).continues === undefined) return null;
  // Work that was handed over belongs to the session that claims the handoff.
  if (isHandedOver(sessionId, 0, projectDir)) return null;
  const transcript = transcriptOf(sessionId, start);
  return transcript === null ? null : saveSession(sessionId, transcript, start);
}

/** After `/clear`, saves a session again if the user made requests in it since its newest save. */
export function refreshedSave(save: FoundSave, start: Start): FoundSave {
  const { sessionId } = save;
  try {
    const transcript = transcriptOf(sessionId, start);
    if (transcript === null || !hasPromptSince(transcript, save.created)) return save;
    return saveSession(sessionId, transcript, start) ?? save;
  } catch {
    // An earlier save is better than none.
    return save;
  }
}

function saveSession(
  sessionId: string,
  transcript: string,
  { configDir, config, now, owner: { projectDir } }: Start,
): FoundSave | null {
  checkpointSession({
    owner: { projectDir, sessionId },
    transcript,
    configDir,
    trigger: "watcher",
    usagePercent: null,
    retentionDays: config.retention_days,
    now,
    activeOnly: true,
  });
  return findRestorePoint({ projectDir, configDir }, { accepts: (id) => id === sessionId });
}

/** Returns the work of the handoff's session if the user made requests in it after the handoff. */
export function workAfterHandoff({ id, save }: FoundHandoff, start: Start): WorkState | undefined {
  try {
    const transcript = transcriptOf(id, start);
    if (transcript === null || !hasPromptSince(transcript, save.timestamp)) return undefined;
    const { configDir } = start;
    const owner = { ...start.owner, sessionId: id };
    return sessionWorkState({ owner, transcript, configDir, activeOnly: true });
  } catch {
    // The handoff is already claimed, so an unreadable file must not keep it from the model.
    return undefined;
  }
}

/** Reads backward and stops at the given time, because most sessions end soon after their last save. */
function hasPromptSince(transcript: string, time: string): boolean {
  using file = openFileSync(transcript);
  const since = Date.parse(time);
  for (const { bytes } of readLinesBackward(file, file.statSync().size)) {
    for (const entry of readEntries(bytes)) {
      // A trim in place writes earlier prompts again.
      if (isRebuilt(entry)) continue;
      const at = Date.parse(asString(entry.raw.timestamp) ?? "");
      if (at <= since) return false;
      if (!Number.isNaN(at) && promptWords(entry) !== "") return true;
    }
  }
  return false;
}

/** Looks only in the client's own folder, because the lineage file of a project can contain any path. */
function transcriptOf(sessionId: string, { configDir, owner }: Start): string | null {
  return findSessionOrNull(sessionId, { configDir, cwd: owner.projectDir })?.path ?? null;
}
