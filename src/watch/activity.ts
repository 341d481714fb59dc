/**
 * How long a session has been at work.
 *
 * @module
 */

import type { SessionState } from "../store/state.ts";
import type { StateChange } from "../store/state_update.ts";

/** A longer time without any sign of work counts as this much work, in milliseconds. */
export const MAX_PAUSE_MS = 10 * 60_000;

/** Signs of work within this time are one, in milliseconds: a state is not written all the time. */
export const NOTE_EVERY_MS = 60_000;

/**
 * What to remember when a session shows a sign of work: a prompt, a round of tools, the end of a
 * turn.
 *
 * Permissions: none.
 *
 * @param state What is remembered.
 * @param nowMs Now, in milliseconds since 1970.
 * @param options `startedMs`: when the session started, where nothing is remembered yet; now by
 * default.
 * @returns What is to change; null when the last sign was just before.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { noteActivity } from "./activity.ts";
 *
 * const time = "2026-03-01T10:00:00.000Z";
 * const state = { active_since: time, last_active_at: time };
 * assertEquals(noteActivity({}, Date.parse(time)), state);
 * assertEquals(noteActivity(state, Date.parse(time) + 30_000), null);
 * ```
 */
export function noteActivity(
  state: SessionState,
  nowMs: number,
  options: { readonly startedMs?: number } = {},
): StateChange | null {
  const last = Date.parse(state.last_active_at ?? "");
  const since = workingSince(state, nowMs);
  if (since !== null && nowMs - last < NOTE_EVERY_MS) return null;
  const started = Math.min(options.startedMs ?? nowMs, nowMs);
  return {
    active_since: new Date(since ?? started).toISOString(),
    last_active_at: new Date(nowMs).toISOString(),
  };
}

/**
 * Tells since when a session has been at work, if every long pause is taken out.
 *
 * Permissions: none.
 *
 * @param state What is remembered.
 * @param nowMs Now, in milliseconds since 1970.
 * @returns The time, in milliseconds since 1970: now less that time is how long it has worked. Null
 * where nothing is remembered, or only what lies in the future, as after the clock was put back.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { workingSince } from "./activity.ts";
 *
 * const state = {
 *   active_since: "2026-03-01T10:00:00.000Z",
 *   last_active_at: "2026-03-01T10:20:00.000Z",
 * };
 * // Two hours of silence count as ten minutes.
 * const nowMs = Date.parse("2026-03-01T12:20:00Z");
 * assertEquals(nowMs - (workingSince(state, nowMs) ?? 0), 30 * 60_000);
 * ```
 */
export function workingSince(state: SessionState, nowMs: number): number | null {
  const last = Date.parse(state.last_active_at ?? "");
  const since = Date.parse(state.active_since ?? "");
  if (!(since <= last && last <= nowMs)) return null;
  return since + Math.max(0, nowMs - last - MAX_PAUSE_MS);
}

/**
 * Tells when the newest checkpoint of a session was made.
 *
 * Permissions: none.
 *
 * @param state What is remembered.
 * @param nowMs Now, in milliseconds since 1970.
 * @returns The time, in milliseconds since 1970; null where there is none, or one of the future.
 */
export function checkpointedAt(state: SessionState, nowMs: number): number | null {
  const created = Date.parse(state.last_checkpoint?.created ?? "");
  return created <= nowMs ? created : null;
}
