/** When a session is to save a checkpoint. */

import type { SessionState } from "../store/state.ts";
import type { StateChange } from "../store/state_update.ts";
import { checkpointedAt } from "./activity.ts";

/** So much work without a checkpoint is enough, in minutes. */
export const STALE_MINUTES = 30;

/** A checkpoint that is younger holds what the crossing of the threshold would save, in milliseconds. */
export const RECENT_MS = 2 * 60_000;

/** Saving a snapshot takes no longer, in milliseconds. */
const CLAIM_MS = 2 * 60_000;

const MINUTE_MS = 60_000;

/**
 * Why a checkpoint is asked for. `context_60_percent` is the name of the reason, whatever the
 * threshold is set to.
 */
export type CheckpointReason = "context_60_percent" | "checkpoint_stale";

interface CheckpointThresholds {
  /** How full the window is, in percent; `checkpoint_threshold` of the configuration. */
  readonly checkpointPercent: number;
  /** How much work there was without one, in minutes. @default {STALE_MINUTES} */
  readonly staleMinutes?: number;
}

export interface CheckpointClues {
  readonly state: SessionState;
  /** How full the window is, 0 to 100; null if not known. */
  readonly percent: number | null;
  readonly nowMs: number;
  /** Since when it has been at work, in milliseconds since 1970; null if not known. */
  readonly activeSinceMs: number | null;
  readonly thresholds: CheckpointThresholds;
}

interface CheckpointNeed {
  /** Why to save one; null when there is no need. */
  readonly reason: CheckpointReason | null;
  /** What is to change in the state; null when nothing is. */
  readonly change: StateChange | null;
}

/** Whether to save: once when the window passes the threshold, and after enough work. */
export function needsCheckpoint(clues: CheckpointClues): CheckpointNeed {
  const { state, percent, nowMs, activeSinceMs, thresholds } = clues;
  const savedMs = checkpointedAt(state, nowMs);
  const isHigh = percent === null ? null : percent >= thresholds.checkpointPercent;
  const isArmed = state.checkpoint_armed !== false;
  const isCrossing = isHigh === true && isArmed;
  const change = isCrossing
    ? { checkpoint_armed: false }
    : isHigh === false && !isArmed
    ? { checkpoint_armed: null }
    : null;
  // The model may have been asked in the middle of the turn, and has saved already.
  const isSaved = savedMs !== null && nowMs - savedMs < RECENT_MS;
  if (isCrossing && !isSaved) return { reason: "context_60_percent", change };
  const minutes = unsavedMinutes({ activeSinceMs, savedMs, nowMs });
  const isStale = minutes !== null && minutes >= (thresholds.staleMinutes ?? STALE_MINUTES);
  return { reason: isStale ? "checkpoint_stale" : null, change };
}

/** Tells whether the snapshot of a window that filled up is saved, or is being saved right now. */
export function hasAutoSnapshot(state: SessionState, nowMs: number): boolean {
  const { auto_snapshot: snapshot } = state;
  if (snapshot === undefined) return false;
  return snapshot.path !== "" || Math.abs(nowMs - Date.parse(snapshot.created)) < CLAIM_MS;
}

export function unsavedMinutes(times: {
  readonly activeSinceMs: number | null;
  readonly savedMs: number | null;
  readonly nowMs: number;
}): number | null {
  const { activeSinceMs, savedMs, nowMs } = times;
  if (activeSinceMs === null) return null;
  return Math.max(0, nowMs - Math.max(activeSinceMs, savedMs ?? activeSinceMs)) / MINUTE_MS;
}
