/** Decides when a checkpoint is due: after unsaved work, or when the window fills up. */

import type { SessionState } from "./state.ts";
import type { StateChange } from "./state_update.ts";

/** Signs of work, ISO 8601. */
type WorkSigns = Pick<SessionState, "active_since" | "last_active_at">;

/** A longer pause counts as this much work. */
export const MAX_PAUSE_MS = 10 * 60_000;

/** Signs of work that follow sooner are not recorded. */
const RECORD_EVERY_MS = 60_000;

/** Returns the state to record for activity such as a prompt or a batch of tool calls, or null. */
export function noteActivity(state: SessionState, nowMs: number): WorkSigns | null {
  const since = workingSince(state, nowMs);
  if (since !== null && nowMs - Date.parse(state.last_active_at ?? "") < RECORD_EVERY_MS) {
    return null;
  }
  return {
    active_since: new Date(since ?? nowMs).toISOString(),
    last_active_at: new Date(nowMs).toISOString(),
  };
}

/** Start of a session's work, moved forward by every long pause; null if unknown. */
export function workingSince(state: SessionState, nowMs: number): number | null {
  const last = Date.parse(state.last_active_at ?? "");
  const since = Date.parse(state.active_since ?? "");
  if (!(since <= last && last <= nowMs)) return null;
  return since + Math.max(0, nowMs - last - MAX_PAUSE_MS);
}

export function checkpointedAt(state: SessionState, nowMs: number): number | null {
  const created = Date.parse(state.last_checkpoint?.created ?? "");
  return created <= nowMs ? created : null;
}

/** Minutes of work since the last checkpoint; null if unknown. */
export function unsavedMinutes(state: SessionState, nowMs: number): number | null {
  const since = workingSince(state, nowMs);
  if (since === null) return null;
  return Math.max(0, nowMs - Math.max(since, checkpointedAt(state, nowMs) ?? since)) / 60_000;
}

/** Work after which the newest checkpoint is out of date. */
export const STALE_MINUTES = 30;

/** A younger checkpoint makes another at the threshold unnecessary. */
export const RECENT_MS = 2 * 60_000;

/** After this time, a claimed snapshot without a file counts as abandoned. */
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

/** Whether the snapshot of a full window is saved or being saved. */
export function hasAutoSnapshot(state: SessionState, nowMs: number): boolean {
  const { auto_snapshot: snapshot } = state;
  if (snapshot === undefined) return false;
  return snapshot.path !== "" || Math.abs(nowMs - Date.parse(snapshot.created)) < CLAIM_MS;
}
