import { assertEquals } from "@std/assert";
import { MAX_PAUSE_MS, noteActivity, workingSince } from "../../src/watch/activity.ts";
import {
  type CheckpointClues,
  hasAutoSnapshot,
  needsCheckpoint,
  RECENT_MS,
  STALE_MINUTES,
  unsavedMinutes,
} from "../../src/watch/needs_checkpoint.ts";
import type { SessionState } from "../../src/store/state.ts";
import { NOW_MS } from "./boards.ts";
import "../own_config.ts";

const MINUTE_MS = 60_000;

function ask(clues: Partial<CheckpointClues>): ReturnType<typeof needsCheckpoint> {
  return needsCheckpoint({
    state: {},
    percent: 10,
    nowMs: NOW_MS,
    activeSinceMs: NOW_MS,
    thresholds: { checkpointPercent: 60 },
    ...clues,
  });
}

function savedAgo(ms: number, more: SessionState = {}): SessionState {
  return { last_checkpoint: { id: "c", created: new Date(NOW_MS - ms).toISOString() }, ...more };
}

function isoAgo(ms: number): string {
  return new Date(NOW_MS - ms).toISOString();
}

Deno.test("needsCheckpoint() asks at the threshold and once until there is room again", () => {
  const disarmed = { checkpoint_armed: false };
  assertEquals(ask({ percent: 59 }), { reason: null, change: null });
  assertEquals(ask({ percent: 60 }), { reason: "context_60_percent", change: disarmed });
  assertEquals(ask({ percent: 60, state: { checkpoint_armed: true } }).change, disarmed);
  assertEquals(ask({ percent: 100, state: disarmed }), { reason: null, change: null });
  const rearm = { checkpoint_armed: null };
  assertEquals(ask({ percent: 59, state: disarmed }), { reason: null, change: rearm });
  // After a compaction nothing is known before the next answer.
  assertEquals(ask({ percent: null, state: disarmed }), { reason: null, change: null });
  const low = { checkpointPercent: 0 };
  assertEquals(ask({ percent: 0, thresholds: low }).reason, "context_60_percent");
});

Deno.test("needsCheckpoint() does not ask for what a checkpoint of just now holds", () => {
  const at = (ms: number): unknown => ask({ percent: 60, state: savedAgo(ms) });
  const change = { checkpoint_armed: false };
  assertEquals(at(RECENT_MS - 1), { reason: null, change });
  assertEquals(at(RECENT_MS), { reason: "context_60_percent", change });
  // The clock was put back: nobody knows how old it is.
  assertEquals(at(-1), { reason: "context_60_percent", change });
});

Deno.test("needsCheckpoint() asks after half an hour of work since the last checkpoint or the start", () => {
  const stale = STALE_MINUTES * MINUTE_MS;
  const reason = (clues: Partial<CheckpointClues>): unknown => ask(clues).reason;
  assertEquals(reason({ activeSinceMs: NOW_MS - stale + 1 }), null);
  assertEquals(reason({ activeSinceMs: NOW_MS - stale }), "checkpoint_stale");
  assertEquals(reason({ activeSinceMs: null, state: savedAgo(stale * 2) }), null);
  const activeSinceMs = NOW_MS - stale * 2;
  assertEquals(reason({ activeSinceMs, state: savedAgo(stale - 1) }), null);
  assertEquals(reason({ activeSinceMs, state: savedAgo(stale) }), "checkpoint_stale");
  const full = { percent: 90, state: { checkpoint_armed: false } };
  assertEquals(reason({ ...full, activeSinceMs }), "checkpoint_stale");
  assertEquals(ask({ percent: 60, activeSinceMs }).reason, "context_60_percent");
  const thresholds = { checkpointPercent: 60, staleMinutes: 5 };
  assertEquals(reason({ activeSinceMs: NOW_MS - 5 * MINUTE_MS, thresholds }), "checkpoint_stale");
});

Deno.test("unsavedMinutes() counts from the later of both, never below nothing", () => {
  const nowMs = 10 * MINUTE_MS;
  assertEquals(unsavedMinutes({ activeSinceMs: null, savedMs: 0, nowMs }), null);
  assertEquals(unsavedMinutes({ activeSinceMs: 0, savedMs: null, nowMs }), 10);
  assertEquals(unsavedMinutes({ activeSinceMs: 0, savedMs: 4 * MINUTE_MS, nowMs }), 6);
  assertEquals(unsavedMinutes({ activeSinceMs: 2 * nowMs, savedMs: null, nowMs }), 0);
});

Deno.test("noteActivity() remembers a sign of work a minute at most, and takes long pauses out", () => {
  const at = (since: number, last: number): SessionState => ({
    active_since: isoAgo(since),
    last_active_at: isoAgo(last),
  });
  assertEquals(noteActivity({}, NOW_MS), at(0, 0));
  assertEquals(noteActivity({}, NOW_MS, { startedMs: NOW_MS - 5 * MINUTE_MS }), at(300_000, 0));
  assertEquals(noteActivity({}, NOW_MS, { startedMs: NOW_MS + 1 }), at(0, 0));
  const hour = 60 * MINUTE_MS;
  assertEquals(noteActivity(at(hour, MINUTE_MS - 1), NOW_MS), null);
  assertEquals(noteActivity(at(hour, MINUTE_MS), NOW_MS), at(hour, 0));
  assertEquals(noteActivity(at(hour, MAX_PAUSE_MS), NOW_MS), at(hour, 0));
  // Of the hour before this sign, ten minutes count.
  assertEquals(noteActivity(at(2 * hour, hour), NOW_MS), at(hour + MAX_PAUSE_MS, 0));
});

Deno.test("workingSince() trusts no times of the future and none out of order", () => {
  const wrong: SessionState[] = [
    {},
    { active_since: isoAgo(5) },
    { last_active_at: isoAgo(5) },
    { active_since: isoAgo(5), last_active_at: isoAgo(9) },
    { active_since: isoAgo(5), last_active_at: isoAgo(-1) },
  ];
  assertEquals(wrong.map((state) => workingSince(state, NOW_MS)), wrong.map(() => null));
  const fine = { active_since: isoAgo(9), last_active_at: isoAgo(5) };
  assertEquals(workingSince(fine, NOW_MS), NOW_MS - 9);
});

Deno.test("hasAutoSnapshot() takes a snapshot that was never saved for one only for a while", () => {
  const claimed = (path: string, agoMs: number): SessionState => ({
    auto_snapshot: { path, created: new Date(NOW_MS - agoMs).toISOString() },
  });
  assertEquals(hasAutoSnapshot({}, NOW_MS), false);
  assertEquals(hasAutoSnapshot(claimed("", MINUTE_MS), NOW_MS), true);
  assertEquals(hasAutoSnapshot(claimed("", 3 * MINUTE_MS), NOW_MS), false);
  assertEquals(hasAutoSnapshot(claimed("", -3 * MINUTE_MS), NOW_MS), false);
  assertEquals(hasAutoSnapshot(claimed("/p/1.json", 300 * MINUTE_MS), NOW_MS), true);
  const undated = { auto_snapshot: { path: "", created: "some day" } };
  assertEquals(hasAutoSnapshot(undated, NOW_MS), false);
});
