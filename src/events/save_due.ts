/** Saves at the end of a turn, and records activity. Loaded only if one of them is due. */

import type { ContextConfig } from "../config/schema.ts";
import { hookOutput } from "../inject/output.ts";
import { hasAutoSnapshot } from "../store/needs_checkpoint.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import { snapshotSession } from "../saved/snapshot.ts";
import { type StateChange, updateSessionState } from "../store/state_update.ts";
import type { Call } from "./call.ts";
import { addEvent, AUTO_COMPACTION } from "./log.ts";
import { reportOnce, warningOnce } from "./notices.ts";

interface DueSaves extends Call {
  readonly transcript: string;
  readonly percent: number | null;
  readonly config: ContextConfig;
  readonly change: StateChange;
  readonly isCheckpointDue: boolean;
  readonly isCrossing: boolean;
  readonly isSnapshotDue: boolean;
}

const WAIT_MS = 500;

const EVENT = "Stop";

export function makeDueSaves(due: DueSaves): string {
  try {
    const isFirst = recordSave(due);
    const warning = due.isCheckpointDue && isFirst ? saveCheckpoint(due) : null;
    const text = due.isSnapshotDue ? saveSnapshot(due, warning) : warning;
    return text === null ? "" : hookOutput({ event: EVENT, message: `trimtab: ${text}` });
  } catch (error) {
    const failure = "could not save the work";
    return reportOnce({ event: EVENT, owner: due.owner, name: "save", failure }, error);
  }
}

/** Records the save first, so that only one process makes it. Returns false if another process does. */
function recordSave({ owner, change, isCrossing }: DueSaves): boolean {
  if (Object.keys(change).length === 0) return true;
  let isFirst = false;
  updateSessionState(owner, (state) => {
    isFirst = !isCrossing || state.checkpoint_armed !== false;
    return isFirst ? change : null;
  }, { waitMs: WAIT_MS });
  return isFirst;
}

/** Returns only the warnings of the save, because other hooks warn about the window. */
function saveCheckpoint(due: DueSaves): string | null {
  const { owner, config, percent } = due;
  try {
    const { saved } = checkpointSession({
      ...due,
      trigger: "watcher",
      usagePercent: percent,
      retentionDays: config.retention_days,
      activeOnly: true,
    });
    return saved === null ? null : warningOnce(owner, saved);
  } catch (error) {
    // Lets the next turn try again.
    if (due.isCrossing) {
      updateSessionState(owner, () => ({ checkpoint_armed: null }), { waitMs: WAIT_MS });
    }
    throw error;
  }
}

function saveSnapshot(due: DueSaves, earlierWarning: string | null): string | null {
  const { owner, transcript, configDir } = due;
  const { projectDir } = owner;
  const now = new Date(due.now());
  const created = now.toISOString();
  const outcome = updateSessionState(owner, (state) => {
    return hasAutoSnapshot(state, due.now()) ? null : { auto_snapshot: { path: "", created } };
  }, { waitMs: WAIT_MS });
  if (outcome !== "written") return earlierWarning;
  try {
    const state = sessionWorkState({ owner, transcript, configDir, activeOnly: true });
    const saved = snapshotSession(state, { projectDir, configDir, transcript, now });
    const { path, snapshot } = saved;
    const { original_tokens, compacted_tokens, compression_ratio } = snapshot;
    const payload = {
      snapshotPath: path,
      compressionRatio: compression_ratio,
      originalTokens: original_tokens,
      compactedTokens: compacted_tokens,
    };
    addEvent({ ...AUTO_COMPACTION, payload }, { projectDir, now });
    updateSessionState(owner, () => ({ auto_snapshot: { path, created } }), { waitMs: WAIT_MS });
    // Does not mention the window, because the hook of the next prompt warns about it.
    const warning = earlierWarning ?? warningOnce(owner, saved);
    return `a snapshot of the work is saved.${warning === null ? "" : ` However: ${warning}`}`;
  } catch (error) {
    // Lets the next turn try again.
    updateSessionState(owner, () => ({ auto_snapshot: null }), { waitMs: WAIT_MS });
    throw error;
  }
}
