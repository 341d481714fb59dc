/** Measures the time that a session has been active. */

import type { SessionState } from "../store/state.ts";

/** Signs of work, ISO 8601. */
type WorkSigns = Pick<SessionState, "active_since" | "last_active_at">;

/** A longer pause counts as this much work, in milliseconds. */
export const MAX_PAUSE_MS = 10 * 60_000;

/** Signs closer together than this are not written down again, in milliseconds. */
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

/** Since when a session has been at work, moved forward by every long pause. */
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

/** Minutes of work that no checkpoint holds yet; null if not known. */
export function unsavedMinutes(state: SessionState, nowMs: number): number | null {
  const since = workingSince(state, nowMs);
  if (since === null) return null;
  return Math.max(0, nowMs - Math.max(since, checkpointedAt(state, nowMs) ?? since)) / 60_000;
}
