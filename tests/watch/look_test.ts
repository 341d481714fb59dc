import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pendingFor } from "../../src/watch/blackboard.ts";
import { type FleetLook, lookAtFleet } from "../../src/watch/look.ts";
import { describeLook } from "../../src/watch/look_text.ts";
import { readWatchMemory } from "../../src/watch/watch_memory.ts";
import { NOW_MS, sessionId } from "./boards.ts";
import { type Fleet, INTERVAL_MS, newFleet } from "./fleets.ts";
import "../own_config.ts";

const POSIX = Deno.build.os !== "windows";

function look(fleet: Fleet, n = 0): FleetLook {
  return lookAtFleet(fleet.options(NOW_MS + n * INTERVAL_MS));
}

function asked(found: FleetLook): unknown[] {
  return found.triggers.map(({ session_id, reason }) => [session_id, reason]);
}

Deno.test("lookAtFleet() asks each session over the threshold once, an interval apart", () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  fleet.add(2, { tokens: 16_700 });
  fleet.add(3, { tokens: 125_250 });
  const first = look(fleet);
  assertEquals(first.sessions.map(({ status }) => status), ["context_high", "ok", "context_high"]);
  assertEquals(first.triggers, [{
    type: "checkpoint_trigger",
    reason: "context_60_percent",
    session_id: sessionId(3),
    timestamp: new Date(NOW_MS).toISOString(),
  }]);
  assertEquals(asked(look(fleet)), [], "the same interval");
  assertEquals(asked(look(fleet, 1)), [[sessionId(1), "context_60_percent"]]);
  assertEquals(asked(look(fleet, 2)), []);
  const pending = (n: number): unknown[] =>
    pendingFor(sessionId(n), fleet.options()).map(({ payload }) => payload["percent"]);
  assertEquals([1, 2, 3].map(pending), [[63], [], [75]]);
});

Deno.test("lookAtFleet() says which session cannot be read, and looks at the others", () => {
  using fleet = newFleet();
  const path = fleet.add(1);
  fleet.add(2);
  const cache = {
    get: (key: string): undefined => {
      if (key === path) throw new Error("the disk is on fire");
      return undefined;
    },
    set: (): void => {},
    keys: (): string[] => [],
  };
  const found = lookAtFleet({ ...fleet.options(), cache: cache as never });
  assertEquals(found.sessions.map(({ session_id }) => session_id), [sessionId(2)]);
  assertEquals(found.problems, [{ session_id: sessionId(1), problem: "the disk is on fire" }]);
});

Deno.test("lookAtFleet() says when it cannot post, and asks at the next look", () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  const board = `${fleet.projectDir}/.claude/trimtab/blackboard.jsonl`;
  Deno.mkdirSync(board, { recursive: true });
  const failed = look(fleet);
  assertEquals([failed.sessions.length, asked(failed)], [1, []]);
  assertMatch(failed.problems[0]?.problem ?? "", /not a regular file/);
  Deno.removeSync(board);
  assertEquals(asked(look(fleet, 1)), [[sessionId(1), "context_60_percent"]]);
});

Deno.test("lookAtFleet() writes nothing when nobody is to be asked", () => {
  using fleet = newFleet();
  fleet.add(1);
  assertEquals(look(fleet).problems, []);
  assertEquals([...Deno.readDirSync(fleet.projectDir)].map(({ name }) => name), ["config"]);
});

Deno.test("lookAtFleet() forgets what was counted in sessions that have ended", () => {
  using fleet = newFleet();
  const path = fleet.add(1);
  const cache = new Map();
  lookAtFleet({ ...fleet.options(), cache });
  assertEquals([...cache.keys()], [path]);
  Deno.removeSync(path);
  lookAtFleet({ ...fleet.options(), cache });
  assertEquals(cache.size, 0);
});

Deno.test("readWatchMemory() takes a damaged file for none", () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  look(fleet);
  const path = `${fleet.projectDir}/.claude/trimtab/watch.json`;
  if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assertEquals([...readWatchMemory(fleet.projectDir).asked.keys()], [sessionId(1)]);
  const texts = ["", "{", "[]", "7", '{"asked":[]}', `{"asked":{}}${" ".repeat(300_000)}`];
  for (const text of texts) {
    Deno.writeTextFileSync(path, text);
    assertEquals(readWatchMemory(fleet.projectDir), { asked: new Map(), last_asked_at: null });
  }
  const rows = { a: { high_at: "soon", stale_at: null }, b: 1, c: { high_at: null } };
  Deno.writeTextFileSync(path, JSON.stringify({ asked: rows, last_asked_at: 7 }));
  assertEquals(readWatchMemory(fleet.projectDir), { asked: new Map(), last_asked_at: null });
});

Deno.test("describeLook() draws a table, and what was done and what went wrong under it", () => {
  using fleet = newFleet();
  fleet.add(1, { tokens: 104_375 });
  fleet.add(2, { tokens: null });
  const found = look(fleet);
  const problems = [{ session_id: sessionId(3), problem: "no \x1b[31mluck" }];
  assertEquals(describeLook({ ...found, problems }, new Date(NOW_MS)).split("\n"), [
    "2026-03-01T10:00:00Z 2 sessions are running",
    "session   context        messages  tools  agents  saved  status        do",
    "11111111  63% 104k/167k  2         1      0       never  context_high  /save-checkpoint",
    "22222222  ~1% 2k/167k    1         0      0       never  ok            -",
    "asked 11111111 for a checkpoint: context_60_percent",
    "trouble with 33333333: no luck",
  ]);
  const one = { ...found, sessions: found.sessions.slice(0, 1), triggers: [] };
  assertStringIncludes(describeLook(one, new Date(NOW_MS)), "1 session is running");
  const unknown = { ...found.sessions[0], percent: null, messages: null, tool_calls: null };
  const bare = { ...unknown, subagents: null, minutes_since_checkpoint: 7 };
  const rows = describeLook({ ...one, sessions: [bare as never] }, new Date(NOW_MS)).split("\n");
  assertMatch(rows[2] ?? "", /^11111111 {2}not known yet {2}- +- +- +7m ago /);
});
