/** Restores at the start of a session what earlier ones saved. */

import { hookOutput } from "../inject/output.ts";
import { aboutSave, loadedWords } from "../saved/loaded_words.ts";
import { findRestorePoint, restoredContext, type RestorePoint } from "../saved/restore_point.ts";
import { hasSameOrigin } from "../transcript/origin.ts";
import { isHandedOver } from "../lineage/rolled_over.ts";
import { readSessionState } from "../store/state.ts";
import { workBefore } from "./left.ts";
import { EVENT, type Start } from "./started.ts";

/** A checkpoint of the day before is about other work, in milliseconds. */
const RESTORE_MAX_AGE_MS = 24 * 3_600_000;

/** Finds what a session can go on from. */
export function pointFor(start: Start): RestorePoint | null {
  const { owner, configDir, source, left, transcript, nowMs } = start;
  const { projectDir, sessionId } = owner;
  if (source === "compact") {
    const saved = readSessionState(owner).last_checkpoint?.id;
    const isSaved = (id: string, point: RestorePoint): boolean =>
      id === sessionId && point.kind === "checkpoint" && point.id === saved;
    return findRestorePoint(projectDir, { configDir, accepts: isSaved }) ??
      findRestorePoint(projectDir, { configDir, accepts: (id) => id === sessionId });
  }
  // A handoff goes to the session that takes it, and to no other.
  const isOver = (id: string, { created }: RestorePoint): boolean =>
    isHandedOver(id, Date.parse(created), projectDir);
  if (source === "clear") {
    for (const before of workBefore(left, projectDir)) {
      const point = findRestorePoint(projectDir, {
        configDir,
        accepts: (id, saved) => id === before && !isOver(id, saved),
      });
      if (point !== null) return point;
    }
    return null;
  }
  return findRestorePoint(projectDir, {
    configDir,
    // A copy has in its context what its parent saved.
    accepts: (id, point) =>
      id !== "" && id !== sessionId && !hasSameOrigin(transcript, id) && !isOver(id, point),
    sinceMs: nowMs - RESTORE_MAX_AGE_MS,
  });
}

/** Words a saved state for the model, and tells people that it was loaded. */
export function restored(point: RestorePoint, start: Start): string {
  const { owner, config, source, isHeadless } = start;
  const context = restoredContext(point, owner.projectDir, {
    maxChars: config.restore_max_chars,
    // The summary is not in the transcript yet, and says what summaries say.
    isBesideSummary: source === "compact",
  });
  if (context === "") return "";
  // A compaction goes on with the session as it was; anything else looks like an empty start.
  const message = source === "compact" || isHeadless ? "" : `trimtab: ${loadedWords(point, start)}`;
  return hookOutput({ event: EVENT, context: [context], message });
}

/** Tells people that there is a saved state; a program that runs the client has not asked. */
export function pointer(point: RestorePoint, start: Start): string {
  if (start.isHeadless) return "";
  const load = point.kind === "checkpoint" ? "/resume-checkpoint" : `/fresh-start ${point.id}`;
  const message = `trimtab: ${point.kind} ${point.id}${
    aboutSave(point)
  } of this project: ${load} loads it`;
  return hookOutput({ event: EVENT, message });
}
