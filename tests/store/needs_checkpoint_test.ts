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
  return needsCheckpoint({
    state: {},
    percent: 10,
    nowMs: NOW_MS,
    threshold: 60,
    ...facts,
  });
}

function savedAgo(ms: number, more: SessionState = {}): SessionState {
  return { last_checkpoint: { id: "c", created: new Date(NOW_MS - ms).toISOString() }, ...more };
}

function isoAgo(ms: number): string {
  return new Date(NOW_MS - ms).toISOString();
}

Deno.test("needsCheckpoint() asks at the threshold, and only once until usage falls below it", () => {
  const disarmedState = { checkpoint_armed: false };
  assertEquals(judge({ percent: 59 }), { reason: null, change: null });
  assertEquals(judge({ percent: 60 }), { reason: "context_60_percent", change: disarmedState });
  assertEquals(judge({ percent: 60, state: { checkpoint_armed: true } }).change, disarmedState);
  assertEquals(judge({ percent: 100, state: disarmedState }), { reason: null, change: null });
  const rearming = { checkpoint_armed: null };
  assertEquals(judge({ percent: 59, state: disarmedState }), { reason: null, change: rearming });
  // After a compaction, usage is unknown until the next answer.
  assertEquals(judge({ percent: null, state: disarmedState }), { reason: null, change: null });
  assertEquals(judge({ percent: 0, threshold: 0 }).reason, "context_60_percent");
});

Deno.test("withInsideWork() uses the times of work that the module recorded, if they are newer", () => {
  const state = { active_since: isoAgo(90), last_active_at: isoAgo(50) };
  const record = (watch: Record<string, string>) => ({ version: 1 as const, watch, trims: [] });
  const work = (lastAgo: number) => ({ active_since: isoAgo(70), last_active_at: isoAgo(lastAgo) });
  assertEquals(withInsideWork(state, record(work(40))), work(40));
  assertEquals(withInsideWork(state, record(work(60))), state);
  assertEquals(withInsideWork({}, record(work(60))), work(60));
  assertEquals(withInsideWork(state, record({ last_active_at: isoAgo(10) })), state);
});

Deno.test("needsCheckpoint() does not ask just after a checkpoint", () => {
  const judgeAt = (ms: number): unknown => judge({ percent: 60, state: savedAgo(ms) });
  const change = { checkpoint_armed: false };
  assertEquals(judgeAt(RECENT_MS - 1), { reason: null, change });
  assertEquals(judgeAt(RECENT_MS), { reason: "context_60_percent", change });
  // The clock was set back, so the age of the checkpoint is unknown.
  assertEquals(judgeAt(-1), { reason: "context_60_percent", change });
});

/** Makes the state of a session that has worked since then without a pause. */
function workingState(sinceAgoMs: number, more: SessionState = {}): SessionState {
  return { active_since: isoAgo(sinceAgoMs), last_active_at: isoAgo(0), ...more };
}

Deno.test("needsCheckpoint() asks after half an hour of work since the last checkpoint or the start", () => {
  const staleMs = STALE_MINUTES * MINUTE_MS;
  const reason = (state: SessionState, percent = 10): unknown => judge({ state, percent }).reason;
  assertEquals(reason(workingState(staleMs - 1)), null);
  assertEquals(reason(workingState(staleMs)), "checkpoint_stale");
  assertEquals(reason(savedAgo(2 * staleMs)), null);
  assertEquals(reason(workingState(2 * staleMs, savedAgo(staleMs - 1))), null);
  assertEquals(reason(workingState(2 * staleMs, savedAgo(staleMs))), "checkpoint_stale");
  assertEquals(
    reason(workingState(2 * staleMs, { checkpoint_armed: false }), 90),
    "checkpoint_stale",
  );
  assertEquals(reason(workingState(2 * staleMs), 60), "context_60_percent");
});

Deno.test("unsavedMinutes() counts from the later of the start and the checkpoint", () => {
  const minutes = (state: SessionState): number | null => unsavedMinutes(state, NOW_MS);
  assertEquals(minutes(savedAgo(0)), null);
  assertEquals(minutes(workingState(10 * MINUTE_MS)), 10);
  assertEquals(minutes(workingState(10 * MINUTE_MS, savedAgo(6 * MINUTE_MS))), 6);
  assertEquals(minutes(workingState(10 * MINUTE_MS, savedAgo(60 * MINUTE_MS))), 10);
});

Deno.test("recordActivity() writes at most once a minute and counts a long pause as ten minutes", () => {
  const activity = (since: number, last: number): SessionState => ({
    active_since: isoAgo(since),
    last_active_at: isoAgo(last),
  });
  assertEquals(recordActivity({}, NOW_MS), activity(0, 0));
  const hour = 60 * MINUTE_MS;
  assertEquals(recordActivity(activity(hour, MINUTE_MS - 1), NOW_MS), null);
  assertEquals(recordActivity(activity(hour, MINUTE_MS), NOW_MS), activity(hour, 0));
  assertEquals(recordActivity(activity(hour, MAX_PAUSE_MS), NOW_MS), activity(hour, 0));
  // A pause of an hour counts as ten minutes of activity.
  assertEquals(recordActivity(activity(2 * hour, hour), NOW_MS), activity(hour + MAX_PAUSE_MS, 0));
});

Deno.test("workingSince() ignores times that lie in the future or out of order", () => {
  const wrong: SessionState[] = [
    {},
    { active_since: isoAgo(5) },
    { last_active_at: isoAgo(5) },
    { active_since: isoAgo(5), last_active_at: isoAgo(9) },
    { active_since: isoAgo(5), last_active_at: isoAgo(-1) },
  ];
  assertEquals(wrong.map((state) => workingSince(state, NOW_MS)), wrong.map(() => null));
  const validTimes = { active_since: isoAgo(9), last_active_at: isoAgo(5) };
  assertEquals(workingSince(validTimes, NOW_MS), NOW_MS - 9);
});

Deno.test("hasAutoSnapshot() counts an unsaved snapshot only for a while", () => {
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
