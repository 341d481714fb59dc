/** How long a session has been at work. */

import type { SessionState } from "../store/state.ts";

/** Signs of work, ISO 8601. */
type WorkSigns = Pick<SessionState, "active_since" | "last_active_at">;

/** A longer time without any sign of work counts as this much work, in milliseconds. */
export const MAX_PAUSE_MS = 10 * 60_000;

/** Signs of work within this time are one, in milliseconds: a state is not written all the time. */
const NOTE_EVERY_MS = 60_000;

/** What to remember at a sign of work: a prompt, a round of tools, the end of a turn. */
export function noteActivity(
  state: SessionState,
  nowMs: number,
  options: { readonly startedMs?: number } = {},
): WorkSigns | null {
  const last = Date.parse(state.last_active_at ?? "");
  const since = workingSince(state, nowMs);
  if (since !== null && nowMs - last < NOTE_EVERY_MS) return null;
  const started = Math.min(options.startedMs ?? nowMs, nowMs);
  return {
    active_since: new Date(since ?? started).toISOString(),
    last_active_at: new Date(nowMs).toISOString(),
  };
}

/** Tells since when a session has been at work, if every long pause is taken out. */
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
