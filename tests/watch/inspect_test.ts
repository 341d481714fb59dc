import { assertEquals, assertMatch } from "@std/assert";
import { updateSessionState } from "../../src/store/state_update.ts";
import { takeTriggerText } from "../../src/watch/blackboard.ts";
import {
  describeFleet,
  findLiveSessions,
  type FleetStatus,
  MAX_COUNTED_BYTES,
  MAX_LIVE_SESSIONS,
  MAX_SILENCE_MS,
  type WatchedSession,
} from "../../src/watch/inspect.ts";
import { boundary, user } from "../gauge/transcript.ts";
import { POSIX } from "../posix.ts";
import { type Fleet, newFleet, NOW_MS, sessionId, type SessionShape } from "./fleets.ts";
import { namesIn } from "../folder.ts";

const MINUTE_MS = 60_000;

function liveIds(fleet: Fleet): string[] {
  return findLiveSessions(fleet, NOW_MS).map(({ id }) => id);
}

function triggersIn({ triggers }: FleetStatus): string[] {
  return triggers.map(({ session_id: id, reason }) => `${id?.[0]} ${reason}`);
}

async function inspect(fleet: Fleet, shape: SessionShape = {}): Promise<WatchedSession> {
  fleet.add(1, shape);
  const { sessions: [session], problems } = await fleet.look();
  assertEquals(problems, []);
  if (session === undefined) throw new Error("no session is running");
  return session;
}

function minutesAgo(minutes: number): string {
  return new Date(NOW_MS - minutes * MINUTE_MS).toISOString();
}

function work(fleet: Fleet, minutes: number): void {
  const times = { active_since: minutesAgo(minutes), last_active_at: minutesAgo(0) };
  updateSessionState(fleet.owner(1), () => times);
}

Deno.test("findLiveSessions() finds the project's sessions whose transcripts were written recently", () => {
  using fleet = newFleet();
  assertEquals(liveIds(fleet), []);
  fleet.add(2);
  fleet.add(1, { agoMs: MAX_SILENCE_MS });
  fleet.add(3, { agoMs: MAX_SILENCE_MS + 1 });
  fleet.add(4, { cwd: "/elsewhere" });
  fleet.add(5, { cwd: null });
  const folder = fleet.add(6, { cwd: null, folder: "-elsewhere" }).replace(/[^/]*$/, "");
  Deno.writeTextFileSync(`${folder}/notes.jsonl`, "{}\n");
  if (POSIX) Deno.symlinkSync("/no", fleet.add(7).replace(sessionId(7), sessionId(8)));
  assertEquals(liveIds(fleet), [1, 2, 5, ...(POSIX ? [7] : [])].map(sessionId));
  assertEquals(findLiveSessions({ ...fleet, configDir: undefined }, NOW_MS), []);
});

Deno.test("findLiveSessions() finds only sessions that the client has a record of, if the folder of records exists", () => {
  using fleet = newFleet();
  for (const n of [1, 2, 3]) fleet.add(n);
  const records = `${fleet.configDir}/sessions`;
  Deno.mkdirSync(records);
  assertEquals(liveIds(fleet), []);
  const write = (name: string, record: unknown): void =>
    Deno.writeTextFileSync(`${records}/${name}`, JSON.stringify(record));
  write("41.json", { pid: 41, sessionId: sessionId(2) });
  write("43.json", { sessionId: 3 });
  write("44.key", { sessionId: sessionId(3) });
  Deno.writeTextFileSync(`${records}/42.json`, "{half");
  assertEquals(liveIds(fleet), [sessionId(2)]);
});

Deno.test("findLiveSessions() returns only the newest sessions, up to its limit", () => {
  using fleet = newFleet();
  for (let n = 0; n <= MAX_LIVE_SESSIONS; n++) fleet.add(1000 + n, { agoMs: n });
  const newest = liveIds(fleet);
  assertEquals(newest.length, MAX_LIVE_SESSIONS);
  assertEquals(newest.includes(sessionId(1000 + MAX_LIVE_SESSIONS)), false);
});

Deno.test("inspectSessions() reports a session's transcript and state", async () => {
  using fleet = newFleet();
  work(fleet, 12.5);
  const transcript = fleet.add(1, { tokens: 101_870 });
  assertEquals((await fleet.look()).sessions, [{
    session_id: sessionId(1),
    transcript,
    tokens: 101_870,
    window: 200_000,
    limit: 167_000,
    percent: 61,
    source: "api",
    messages: 2,
    tool_calls: 1,
    subagents: 0,
    minutes_since_checkpoint: null,
    active_minutes: 12,
    is_saved: false,
    reason: "context_60_percent",
    status: "context_high",
    recommended_action: "trigger_checkpoint",
    advice: null,
  }]);
  updateSessionState(fleet.owner(1), () => ({
    window_tokens: 1_000_000,
    checkpoint_armed: false,
    last_checkpoint: { id: "c", created: minutesAgo(45) },
    active_since: minutesAgo(90),
    last_active_at: minutesAgo(15),
  }));
  const { window, percent, ...session } = await inspect(fleet, { tokens: 101_870 });
  assertEquals([window, percent, session.is_saved], [1_000_000, 10, true]);
  assertEquals([session.minutes_since_checkpoint, session.active_minutes], [45, 45]);
  assertEquals([session.status, session.reason], ["stale_checkpoint", "checkpoint_stale"]);
});

Deno.test("inspectSessions() recommends an action at or above recommend_threshold", async () => {
  using fleet = newFleet();
  const { status, recommended_action, advice } = await inspect(fleet, { tokens: 133_600 });
  assertEquals([status, recommended_action, advice], ["context_high", "rollover", "/rollover"]);
});

Deno.test("inspectSessions() reports a session exactly at the thresholds", async () => {
  using fleet = newFleet();
  const at = async (tokens: number): Promise<unknown[]> => {
    const { percent, status, advice } = await inspect(fleet, { tokens });
    return [percent, status, advice];
  };
  assertEquals(await at(98_600), [59, "ok", null]);
  assertEquals(await at(100_200), [60, "context_high", null]);
  assertEquals(await at(123_600), [74, "context_high", null]);
  assertEquals(await at(125_300), [75, "context_high", "/rollover"]);
});

Deno.test("inspectSessions() does not recommend a trim that pays back too late, unless the window is nearly full", async () => {
  using fleet = newFleet();
  const adviceAt = async (tokens: number, light: number): Promise<unknown[]> => {
    const freed = {
      ...{ at_tokens: tokens, light: 30_000, deep: 40_000, rollover: 90_000, bytes: 1 },
      paid_back_after: { light, deep: null },
      ...{ cache_ttl_seconds: null, newest_at: minutesAgo(0) },
    };
    updateSessionState(fleet.owner(1), () => ({ freed }));
    const { recommended_action, advice } = await inspect(fleet, { tokens });
    return [recommended_action, advice];
  };
  assertEquals(await adviceAt(133_600, 50), ["trim", "/trim frees 30,000"]);
  assertEquals(await adviceAt(133_600, 51), ["trigger_checkpoint", null]);
  assertEquals(await adviceAt(150_000, 51), ["trim", "/trim frees 30,000"]);
});

Deno.test("inspectSessions() estimates the usage when the token count is unknown", async () => {
  using fleet = newFleet();
  const { percent, tokens, source } = await inspect(fleet, { tokens: null });
  assertEquals({ percent, tokens, source }, { percent: 0, tokens: 2, source: "estimate" });
  const end = { ...boundary("b"), timestamp: minutesAgo(0) };
  const compacted = await inspect(fleet, { more: [end, user("v", "b")] });
  assertEquals([compacted.percent, compacted.messages, compacted.status], [0, 1, "ok"]);
});

Deno.test("inspectSessions() does not count messages and calls in a huge transcript", async () => {
  using fleet = newFleet();
  const path = fleet.add(1);
  const text = Deno.readTextFileSync(path);
  Deno.truncateSync(path, MAX_COUNTED_BYTES);
  Deno.writeTextFileSync(path, `\n${text}`, { append: true });
  Deno.utimeSync(path, new Date(NOW_MS), new Date(NOW_MS));
  const { messages, tool_calls, subagents, percent } = (await fleet.look()).sessions[0] ?? {};
  assertEquals([messages, tool_calls, subagents, percent], [null, null, null, 12]);
});

Deno.test("inspectSessions() asks one session per interval for a checkpoint, fullest first, and no session twice within half an hour", async () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  fleet.add(2, { tokens: 16_700 });
  fleet.add(3, { tokens: 125_250 });
  for (const [laterMs, asked] of [[0, [3]], [29_999, []], [30_000, [1]], [60_000, []]] as const) {
    const expected = asked.map((n) => `${n} context_60_percent`);
    assertEquals(triggersIn(await fleet.look(laterMs)), expected);
  }
  const deliveredTo = (n: number): string | null =>
    takeTriggerText(fleet.owner(n), NOW_MS + MINUTE_MS);
  assertEquals([1, 2, 3].map((n) => deliveredTo(n)?.match(/\d+%/)?.[0]), ["63%", undefined, "75%"]);
  const laterMs = 30 * MINUTE_MS;
  for (const n of [1, 3]) {
    const path = fleet.add(n, { tokens: 104_375 });
    Deno.utimeSync(path, new Date(NOW_MS + laterMs), new Date(NOW_MS + laterMs));
  }
  assertEquals(triggersIn(await fleet.look(laterMs)), ["3 context_60_percent"]);
});

Deno.test("inspectSessions() asks for a checkpoint after half an hour of unsaved work", async () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  updateSessionState(fleet.owner(1), () => ({ checkpoint_armed: false }));
  work(fleet, 29);
  assertEquals(triggersIn(await fleet.look()), []);
  work(fleet, 30);
  assertEquals(triggersIn(await fleet.look()), ["1 checkpoint_stale"]);
  assertEquals(triggersIn(await fleet.look(MINUTE_MS)), []);
});

Deno.test("inspectSessions() writes nothing when no session needs a checkpoint", async () => {
  using fleet = newFleet();
  fleet.add(1);
  assertEquals((await fleet.look()).problems, []);
  assertEquals(namesIn(fleet.projectDir), ["config"]);
});

Deno.test("inspectSessions() reports failures to read or post, and continues", async () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  const board = `${fleet.projectDir}/.claude/trimtab/blackboard.jsonl`;
  Deno.mkdirSync(board, { recursive: true });
  const failed = await fleet.look();
  assertEquals([failed.sessions.length, triggersIn(failed)], [1, []]);
  assertMatch(failed.problems[0]?.problem ?? "", /not a regular file/);
  Deno.removeSync(board);
  assertEquals(triggersIn(await fleet.look()), ["1 context_60_percent"]);
});

Deno.test("describeFleet() prints a table, with actions and problems below it", async () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  fleet.add(2, { tokens: null });
  const look = await fleet.look();
  const problems = [{ session_id: sessionId(3), problem: "no \x1b[31mluck" }];
  assertEquals(describeFleet({ ...look, problems }, new Date(NOW_MS)).split("\n"), [
    "2026-03-01T10:00:00Z 2 sessions are running",
    "session   context        messages  tools  agents  saved  status        action",
    "11111111  63% 104k/167k  2         1      0       never  context_high  /save-checkpoint",
    "22222222  ~0% 2/167k     1         0      0       never  ok            -",
    "asked 11111111 for a checkpoint: context_60_percent",
    "problem with 33333333: no luck",
  ]);
  const unknown = { messages: null, tool_calls: null, subagents: null };
  const sessions = look.sessions.slice(0, 1)
    .map((one) => ({ ...one, ...unknown, minutes_since_checkpoint: 7 }));
  const text = describeFleet({ ...look, triggers: [], sessions }, new Date(NOW_MS));
  assertMatch(text, /Z 1 session is running\n.*\n11111111 {2}63% 104k\/167k {2}- +- +- +7m ago /);
});
