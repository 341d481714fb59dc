import { assertEquals } from "@std/assert";
import {
  type CheckpointFacts,
  hasAutoSnapshot,
  MAX_PAUSE_MS,
  needsCheckpoint,
  RECENT_MS,
  recordActivity,
  STALE_MINUTES,
  unsavedMinutes,
  withInsideWork,
  workingSince,
} from "../../src/store/needs_checkpoint.ts";
import type { SessionState } from "../../src/store/state.ts";
import "../own_config.ts";

const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");
const MINUTE_MS = 60_000;

function judge(facts: Partial<CheckpointFacts>): ReturnType<typeof needsCheckpoint> {
  return needsCheckpoint({ state: {}, percent: 10, nowMs: NOW_MS, threshold: 60, ...facts });
}

function isoAgo(ms: number): string {
  return new Date(NOW_MS - ms).toISOString();
}

function savedAgo(ms: number): SessionState {
  return { last_checkpoint: { id: "c", created: isoAgo(ms) } };
}

function worked(sinceAgoMs: number, lastAgoMs = 0): SessionState {
  return { active_since: isoAgo(sinceAgoMs), last_active_at: isoAgo(lastAgoMs) };
}

Deno.test("needsCheckpoint() asks for a checkpoint at the threshold, and again only after usage was below it", () => {
  const disarmed = { checkpoint_armed: false };
  const none = { reason: null, change: null };
  assertEquals(judge({ percent: 59 }), none);
  assertEquals(judge({ percent: 60 }), { reason: "context_60_percent", change: disarmed });
  assertEquals(judge({ percent: 100, state: disarmed }), none);
  const rearming = { checkpoint_armed: null };
  assertEquals(judge({ percent: 59, state: disarmed }), { reason: null, change: rearming });
  // After a compaction, usage is unknown until the next answer.
  assertEquals(judge({ percent: null, state: disarmed }), none);
  assertEquals(judge({ percent: 0, threshold: 0 }).reason, "context_60_percent");
});

Deno.test("withInsideWork() uses the work times that the module recorded if they are newer", () => {
  const state = worked(90, 50);
  const record = (watch: Record<string, string>) => ({ version: 1 as const, watch, trims: [] });
  const watch = (lastAgo: number) => ({
    active_since: isoAgo(70),
    last_active_at: isoAgo(lastAgo),
  });
  assertEquals(withInsideWork(state, record(watch(40))), watch(40));
  for (const ago of [50, 60]) assertEquals(withInsideWork(state, record(watch(ago))), state);
  assertEquals(withInsideWork({}, record(watch(60))), watch(60));
  assertEquals(withInsideWork(state, record({ last_active_at: isoAgo(10) })), state);
});

Deno.test("needsCheckpoint() does not ask just after a checkpoint", () => {
  const judgeAt = (ms: number): unknown => judge({ percent: 60, state: savedAgo(ms) });
  const change = { checkpoint_armed: false };
  for (const ms of [0, RECENT_MS - 1]) assertEquals(judgeAt(ms), { reason: null, change });
  assertEquals(judgeAt(RECENT_MS), { reason: "context_60_percent", change });
  // The clock was set back, so the age of the checkpoint is unknown.
  assertEquals(judgeAt(-1), { reason: "context_60_percent", change });
});

Deno.test("needsCheckpoint() asks after half an hour of work since the last checkpoint or the start", () => {
  const staleMs = STALE_MINUTES * MINUTE_MS;
  const long = worked(2 * staleMs);
  const reason = (state: SessionState, percent = 10): unknown => judge({ state, percent }).reason;
  assertEquals(reason(worked(staleMs - 1)), null);
  assertEquals(reason(worked(staleMs)), "checkpoint_stale");
  assertEquals(reason(savedAgo(2 * staleMs)), null);
  assertEquals(reason({ ...long, ...savedAgo(staleMs - 1) }), null);
  assertEquals(reason({ ...long, ...savedAgo(staleMs) }), "checkpoint_stale");
  assertEquals(reason({ ...long, checkpoint_armed: false }, 90), "checkpoint_stale");
  assertEquals(reason(long, 60), "context_60_percent");
});

Deno.test("unsavedMinutes() counts from the start of the work or the checkpoint, whichever is later", () => {
  const minutes = (state: SessionState): number | null => unsavedMinutes(state, NOW_MS);
  const state = worked(10 * MINUTE_MS);
  assertEquals(minutes(savedAgo(0)), null);
  assertEquals(minutes(state), 10);
  assertEquals(minutes({ ...state, ...savedAgo(6 * MINUTE_MS) }), 6);
  assertEquals(minutes({ ...state, ...savedAgo(60 * MINUTE_MS) }), 10);
});

Deno.test("recordActivity() records work at most once a minute, and counts a long pause as ten minutes", () => {
  const hour = 60 * MINUTE_MS;
  assertEquals(recordActivity({}, NOW_MS), worked(0));
  assertEquals(recordActivity(worked(hour, MINUTE_MS - 1), NOW_MS), null);
  for (const pause of [MINUTE_MS, MAX_PAUSE_MS]) {
    assertEquals(recordActivity(worked(hour, pause), NOW_MS), worked(hour));
  }
  assertEquals(recordActivity(worked(2 * hour, hour), NOW_MS), worked(hour + MAX_PAUSE_MS));
});

Deno.test("workingSince() ignores times in the future, and a start time after the last activity", () => {
  const active_since = isoAgo(5);
  const wrong: Partial<SessionState>[] = [
    {},
    { active_since },
    { last_active_at: active_since },
    worked(5, 9),
    worked(5, -1),
  ];
  for (const state of wrong) assertEquals(workingSince(state, NOW_MS), null);
  assertEquals(workingSince(worked(9, 5), NOW_MS), NOW_MS - 9);
  assertEquals(workingSince(worked(5, 5), NOW_MS), NOW_MS - 5);
});

Deno.test("hasAutoSnapshot() counts a snapshot without a path only for a short time", () => {
  const has = (path: string, created: string): boolean =>
    hasAutoSnapshot({ auto_snapshot: { path, created } }, NOW_MS);
  assertEquals(hasAutoSnapshot({}, NOW_MS), false);
  assertEquals(has("", isoAgo(MINUTE_MS)), true);
  for (const ago of [2, -2]) assertEquals(has("", isoAgo(ago * MINUTE_MS)), false);
  assertEquals(has("/p/1.json", isoAgo(300 * MINUTE_MS)), true);
  assertEquals(has("", "some day"), false);
});
