/** Decides when a checkpoint is needed: after unsaved work, or when the window fills up. */

import type { InsideRecord } from "./inside_record.ts";
import type { SessionState } from "./state.ts";
import type { StateChange } from "./state_update.ts";

type WorkTimes = Pick<SessionState, "active_since" | "last_active_at">;

/** A longer pause counts as only this much work. */
export const MAX_PAUSE_MS = 10 * 60_000;

const RECORD_EVERY_MS = 60_000;

export function recordActivity(state: SessionState, nowMs: number): WorkTimes | null {
  const since = workingSince(state, nowMs);
  if (since !== null && nowMs - Date.parse(state.last_active_at ?? "") < RECORD_EVERY_MS) {
    return null;
  }
  return {
    active_since: new Date(since ?? nowMs).toISOString(),
    last_active_at: new Date(nowMs).toISOString(),
  };
}

export function withInsideWork(state: SessionState, { watch }: InsideRecord): SessionState {
  const { active_since, last_active_at } = watch ?? {};
  if (active_since === undefined || last_active_at === undefined) return state;
  if (!(Date.parse(last_active_at) > Date.parse(state.last_active_at ?? "1970"))) return state;
  return { ...state, active_since, last_active_at };
}

/** Returns the start of the work, moved forward by long pauses; null if unknown. */
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

export function unsavedMinutes(state: SessionState, nowMs: number): number | null {
  const since = workingSince(state, nowMs);
  if (since === null) return null;
  return Math.max(0, nowMs - Math.max(since, checkpointedAt(state, nowMs) ?? since)) / 60_000;
}

export const STALE_MINUTES = 30;

/** If the last checkpoint is younger than this, passing the threshold does not trigger another. */
export const RECENT_MS = 2 * 60_000;

/** A snapshot that was started, but not saved within this time, counts as abandoned. */
const SNAPSHOT_TIMEOUT_MS = 2 * 60_000;

/** `context_60_percent` means the configured threshold, which may differ from 60. */
export type CheckpointReason = "context_60_percent" | "checkpoint_stale";

export interface CheckpointFacts {
  readonly state: SessionState;
  readonly percent: number | null;
  readonly nowMs: number;
  /** `warn_threshold` of the configuration. */
  readonly threshold: number;
}

interface CheckpointNeed {
  readonly reason: CheckpointReason | null;
  readonly change: StateChange | null;
}

export function needsCheckpoint(facts: CheckpointFacts): CheckpointNeed {
  const { state, percent, nowMs, threshold } = facts;
  const savedMs = checkpointedAt(state, nowMs);
  const isHigh = percent === null ? null : percent >= threshold;
  const isArmed = state.checkpoint_armed !== false;
  const isCrossing = isHigh === true && isArmed;
  const change = isCrossing
    ? { checkpoint_armed: false }
    : isHigh === false && !isArmed
    ? { checkpoint_armed: null }
    : null;
  // The model may have saved a checkpoint in the middle of the turn.
  const isSaved = savedMs !== null && nowMs - savedMs < RECENT_MS;
  if (isCrossing && !isSaved) return { reason: "context_60_percent", change };
  const isStale = (unsavedMinutes(state, nowMs) ?? 0) >= STALE_MINUTES;
  return { reason: isStale ? "checkpoint_stale" : null, change };
}

export function hasAutoSnapshot(state: SessionState, nowMs: number): boolean {
  const { auto_snapshot: snapshot } = state;
  if (snapshot === undefined) return false;
  return snapshot.path !== "" ||
    Math.abs(nowMs - Date.parse(snapshot.created)) < SNAPSHOT_TIMEOUT_MS;
}
