/** When a session is to save a checkpoint. */

import type { SessionState } from "../store/state.ts";
import type { StateChange } from "../store/state_update.ts";
import { checkpointedAt, unsavedMinutes } from "./activity.ts";

/** After this much work the newest checkpoint is out of date, in minutes. */
export const STALE_MINUTES = 30;

/** A younger checkpoint already holds what the crossing of the threshold would save, in milliseconds. */
export const RECENT_MS = 2 * 60_000;

/** A claimed snapshot without a file was abandoned after this time, in milliseconds. */
const CLAIM_MS = 2 * 60_000;

/** Why a checkpoint is due. `context_60_percent` is the reason's name, whatever the threshold is. */
export type CheckpointReason = "context_60_percent" | "checkpoint_stale";

export interface CheckpointClues {
  readonly state: SessionState;
  /** Percent of the limit in use, 0 to 100; null if unknown. */
  readonly percent: number | null;
  readonly nowMs: number;
  /** `warn_threshold` of the configuration, in percent. */
  readonly threshold: number;
}

interface CheckpointNeed {
  /** Why to save a checkpoint; null when none is due. */
  readonly reason: CheckpointReason | null;
  /** Changes to the state; null for none. */
  readonly change: StateChange | null;
}

/** A checkpoint is due once when the window passes the threshold, and after enough work. */
export function needsCheckpoint(clues: CheckpointClues): CheckpointNeed {
  const { state, percent, nowMs, threshold } = clues;
  const savedMs = checkpointedAt(state, nowMs);
  const isHigh = percent === null ? null : percent >= threshold;
  const isArmed = state.checkpoint_armed !== false;
  const isCrossing = isHigh === true && isArmed;
  const change = isCrossing
    ? { checkpoint_armed: false }
    : isHigh === false && !isArmed
    ? { checkpoint_armed: null }
    : null;
  // The model may have saved one in the middle of the turn.
  const isSaved = savedMs !== null && nowMs - savedMs < RECENT_MS;
  if (isCrossing && !isSaved) return { reason: "context_60_percent", change };
  return { reason: isStale(state, nowMs) ? "checkpoint_stale" : null, change };
}

export function isStale(state: SessionState, nowMs: number): boolean {
  return (unsavedMinutes(state, nowMs) ?? 0) >= STALE_MINUTES;
}

/** Whether the snapshot of a window that filled up is saved, or is being saved right now. */
export function hasAutoSnapshot(state: SessionState, nowMs: number): boolean {
  const { auto_snapshot: snapshot } = state;
  if (snapshot === undefined) return false;
  return snapshot.path !== "" || Math.abs(nowMs - Date.parse(snapshot.created)) < CLAIM_MS;
}
