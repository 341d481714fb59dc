import { assertEquals } from "@std/assert";
import { chooseTrigger, NOTHING_ASKED, type WatchMemory } from "../../src/watch/choose_trigger.ts";
import { judgeSession } from "../../src/watch/judge_session.ts";
import type { SessionReport } from "../../src/watch/monitor.ts";
import { NOW_MS, sessionId } from "./boards.ts";
import "../own_config.ts";

const INTERVAL_MS = 30_000;

function report(
  n: number,
  percent: number | null,
  more: Partial<SessionReport> = {},
): SessionReport {
  const { active_minutes = 0, is_saved = false } = more;
  const facts = {
    percent,
    activeMinutes: active_minutes,
    isSaved: is_saved,
    remedy: "light" as const,
  };
  const thresholds = { checkpointPercent: 60, trimPercent: 75 };
  return {
    session_id: sessionId(n),
    transcript: `/t/${n}`,
    tokens: null,
    window: 200_000,
    limit: 167_000,
    percent,
    source: "api",
    messages: 0,
    tool_calls: 0,
    subagents: 0,
    minutes_since_checkpoint: null,
    active_minutes,
    is_saved,
    ...judgeSession(facts, thresholds),
    advice: null,
  };
}

/** Looks after looks, an interval apart; tells whom each asked, and why. */
function asks(
  looks: readonly (readonly SessionReport[])[],
  stepMs = INTERVAL_MS,
): (string | null)[] {
  let memory: WatchMemory = NOTHING_ASKED;
  return looks.map((reports, i) => {
    const pace = { nowMs: NOW_MS + i * stepMs, intervalMs: INTERVAL_MS };
    const { ask, memoryThen } = chooseTrigger(reports, memory, pace);
    memory = memoryThen;
    return ask === null ? null : `${ask.sessionId[0]} ${ask.reason}`;
  });
}

const HIGH = "context_60_percent";

Deno.test("chooseTrigger() asks a session once a crossing, and again after there was room", () => {
  const percents = [59, 60, 61, 80, null, 61, 40, 59, 60, 70];
  const looks = percents.map((percent) => [report(1, percent)]);
  const expected = [null, `1 ${HIGH}`, null, null, null, null, null, null, `1 ${HIGH}`, null];
  assertEquals(asks(looks), expected);
});

Deno.test("chooseTrigger() asks one at a time, the fullest first, and none within an interval", () => {
  const reports = [report(1, 61), report(2, 90), report(3, 10), report(4, 61)];
  const looks = Array.from({ length: 5 }, () => reports);
  assertEquals(asks(looks), [`2 ${HIGH}`, `1 ${HIGH}`, `4 ${HIGH}`, null, null]);
  assertEquals(asks(looks, INTERVAL_MS - 1), [`2 ${HIGH}`, null, `1 ${HIGH}`, null, `4 ${HIGH}`]);
});

Deno.test("chooseTrigger() does not ask for what the session has saved by itself", () => {
  assertEquals(asks([[report(1, 61, { is_saved: true })]]), [null]);
  const worked = report(1, 61, { is_saved: true, active_minutes: 30 });
  assertEquals(asks([[worked]]), ["1 checkpoint_stale"]);
});

Deno.test("chooseTrigger() asks again after half an hour of work when nothing was saved", () => {
  const stale = [report(1, 20, { active_minutes: 45 })];
  const minutes = 10 * 60_000;
  const expected = ["1 checkpoint_stale", null, null, "1 checkpoint_stale", null];
  assertEquals(asks([stale, stale, stale, stale, stale], minutes), expected);
  assertEquals(asks([[report(1, 20, { active_minutes: 29 })]]), [null]);
  // A session that was asked because its window is full is not asked twice for one thing.
  const both = [report(1, 70, { active_minutes: 45 })];
  const words = [`1 ${HIGH}`, null, null, "1 checkpoint_stale"];
  assertEquals(asks([both, both, both, both], minutes), words);
});

Deno.test("chooseTrigger() forgets whom it asked a week ago, and what the clock cannot have seen", () => {
  const high_at = new Date(NOW_MS - 8 * 86_400_000).toISOString();
  const memory = {
    asked: new Map([[sessionId(9), { high_at, stale_at: null }]]),
    last_asked_at: null,
  };
  const pace = { nowMs: NOW_MS, intervalMs: INTERVAL_MS };
  assertEquals(chooseTrigger([], memory, pace).memory.asked.size, 0);
  const last_asked_at = new Date(NOW_MS + 60_000).toISOString();
  const ahead = { asked: new Map(), last_asked_at };
  assertEquals(chooseTrigger([report(1, 60)], ahead, pace).ask?.sessionId, sessionId(1));
});

Deno.test("chooseTrigger() remembers nothing of a request that fails", () => {
  const pace = { nowMs: NOW_MS, intervalMs: INTERVAL_MS };
  const { memory, memoryThen } = chooseTrigger([report(1, 60)], NOTHING_ASKED, pace);
  assertEquals([memory.asked.size, memory.last_asked_at], [0, null]);
  assertEquals(memoryThen.asked.get(sessionId(1))?.high_at, new Date(NOW_MS).toISOString());
});
