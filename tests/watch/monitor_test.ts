import { assertEquals, assertThrows } from "@std/assert";
import { MAX_LIVE_SESSIONS, MAX_SILENCE_MS } from "../../src/watch/live_sessions.ts";
import {
  findLiveSessions,
  inspectSession,
  MAX_COUNTED_BYTES,
  type MetricsCache,
  type SessionReport,
} from "../../src/watch/monitor.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { boundary, user } from "../pressure/transcript.ts";
import { createSession } from "../../src/lineage/lineage.ts";
import { endSessionIfKnown } from "../../src/lineage/end.ts";
import { NOW_MS, sessionId } from "./boards.ts";
import { type Fleet, newFleet, type SessionShape } from "./fleets.ts";
import "../own_config.ts";

const MINUTE_MS = 60_000;

function found(fleet: Fleet, nowMs = NOW_MS): string[] {
  return findLiveSessions(fleet.options(nowMs)).map(({ id }) => id);
}

function inspect(fleet: Fleet, shape: SessionShape = {}): SessionReport {
  fleet.add(1, shape);
  const [session] = findLiveSessions(fleet.options());
  if (session === undefined) throw new Error("Cannot inspect: no session is running");
  return inspectSession(session, fleet.options());
}

Deno.test("findLiveSessions() finds the sessions of the project that were written of late", () => {
  using fleet = newFleet();
  assertEquals(found(fleet), []);
  fleet.add(2);
  fleet.add(1, { agoMs: MAX_SILENCE_MS });
  fleet.add(3, { agoMs: MAX_SILENCE_MS + 1 });
  fleet.add(4, { cwd: "/elsewhere" });
  fleet.add(5, { cwd: null });
  fleet.add(6, { cwd: null, folder: "-elsewhere" });
  // A long path has a folder whose name cannot be rebuilt.
  fleet.add(7, { folder: "renamed" });
  assertEquals(found(fleet), [1, 2, 5, 7].map(sessionId));
  assertEquals(found(fleet, NOW_MS - 1), [1, 2, 3, 5, 7].map(sessionId));
  assertEquals(findLiveSessions({ ...fleet.options(), configDir: undefined }), []);
  const soon = findLiveSessions({ ...fleet.options(), maxAgeMs: 5 });
  assertEquals(soon.map(({ id }) => id), [2, 5, 7].map(sessionId));
});

Deno.test("findLiveSessions() finds those alone that a client has open, where clients say so", () => {
  using fleet = newFleet();
  for (const n of [1, 2, 3]) fleet.add(n);
  const notes = `${fleet.configDir}/sessions`;
  Deno.mkdirSync(notes);
  assertEquals(found(fleet), [], "no client is open");
  Deno.writeTextFileSync(`${notes}/41.json`, JSON.stringify({ pid: 41, sessionId: sessionId(2) }));
  Deno.writeTextFileSync(`${notes}/42.json`, "{half");
  Deno.writeTextFileSync(`${notes}/43.json`, JSON.stringify({ sessionId: 3 }));
  Deno.writeTextFileSync(`${notes}/44.key`, JSON.stringify({ sessionId: sessionId(3) }));
  assertEquals(found(fleet), [sessionId(2)]);
});

Deno.test("findLiveSessions() passes over those that the lineage knows to have ended", () => {
  using fleet = newFleet();
  const { projectDir } = fleet;
  for (const n of [1, 2, 3]) {
    fleet.add(n);
    createSession({ projectDir, sessionId: sessionId(n), now: new Date(NOW_MS - MINUTE_MS) });
  }
  const end = (n: number, at: number): void =>
    void endSessionIfKnown({
      projectDir,
      sessionId: sessionId(n),
      reason: "exit",
      now: new Date(at),
    });
  end(1, NOW_MS);
  // It was written a minute after its end: somebody resumed it.
  end(2, NOW_MS - MINUTE_MS);
  assertEquals(found(fleet), [2, 3].map(sessionId));
});

Deno.test("findLiveSessions() passes over what is no transcript", () => {
  using fleet = newFleet();
  const path = fleet.add(1);
  const folder = path.slice(0, path.lastIndexOf("/"));
  Deno.writeTextFileSync(`${folder}/notes.jsonl`, "{}\n");
  Deno.writeTextFileSync(`${folder}/${sessionId(2)}.txt`, "{}\n");
  Deno.mkdirSync(`${folder}/${sessionId(3)}.jsonl`);
  Deno.writeTextFileSync(`${fleet.configDir}/projects/file`, "");
  if (Deno.build.os !== "windows") Deno.symlinkSync("/no", `${folder}/${sessionId(4)}.jsonl`);
  assertEquals(found(fleet), [sessionId(1)]);
});

Deno.test("findLiveSessions() takes no more than its bound, the newest", () => {
  using fleet = newFleet();
  for (let n = 0; n <= MAX_LIVE_SESSIONS; n++) fleet.add(1000 + n, { agoMs: n });
  const newest = found(fleet);
  assertEquals(newest.length, MAX_LIVE_SESSIONS);
  assertEquals(newest.includes(sessionId(1000 + MAX_LIVE_SESSIONS)), false);
});

Deno.test("inspectSession() tells what a session's transcript tells", () => {
  using fleet = newFleet();
  assertEquals(inspect(fleet, { tokens: 101_870, startedAgoMs: 12 * MINUTE_MS + 30_000 }), {
    session_id: sessionId(1),
    transcript: `${fleet.configDir}/projects/${fleet.projectDir.replaceAll(/[^A-Za-z0-9]/g, "-")}/${
      sessionId(1)
    }.jsonl`,
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
    status: "context_high",
    recommended_action: "trigger_checkpoint",
    advice: null,
  });
});

Deno.test("inspectSession() goes by what is remembered of the session", () => {
  using fleet = newFleet();
  updateSessionState({ projectDir: fleet.projectDir, sessionId: sessionId(1) }, () => ({
    window_tokens: 1_000_000,
    checkpoint_armed: false,
    last_checkpoint: { id: "c", created: new Date(NOW_MS - 45 * MINUTE_MS).toISOString() },
    active_since: new Date(NOW_MS - 90 * MINUTE_MS).toISOString(),
    last_active_at: new Date(NOW_MS - 15 * MINUTE_MS).toISOString(),
  }));
  const report = inspect(fleet, { tokens: 101_870, startedAgoMs: 99 * MINUTE_MS });
  const { window, percent, minutes_since_checkpoint, active_minutes, is_saved, status } = report;
  assertEquals([window, percent, is_saved], [1_000_000, 11, true]);
  assertEquals([minutes_since_checkpoint, active_minutes], [45, 45]);
  assertEquals(status, "stale_checkpoint");
});

Deno.test("inspectSession() estimates where the client told nothing, but not after a compaction", () => {
  using fleet = newFleet();
  const { percent, tokens, source } = inspect(fleet, { tokens: null });
  assertEquals({ percent, tokens, source }, { percent: 1, tokens: 1_670, source: "estimate" });
  const end = { ...boundary("b"), timestamp: new Date(NOW_MS).toISOString() };
  const compacted = inspect(fleet, { more: [end, user("v", "b", { timestamp: end.timestamp })] });
  assertEquals([compacted.percent, compacted.source, compacted.messages], [null, "none", 1]);
  assertEquals(compacted.status, "ok");
});

Deno.test("inspectSession() counts a transcript again only when it has changed", () => {
  using fleet = newFleet();
  const cache: MetricsCache = new Map();
  const look = (): SessionReport => {
    const [session] = findLiveSessions(fleet.options());
    if (session === undefined) throw new Error("Cannot inspect: no session is running");
    return inspectSession(session, { ...fleet.options(), cache });
  };
  const path = fleet.add(1);
  assertEquals(look().messages, 2);
  const [known] = cache.values();
  cache.set(path, {
    version: known?.version ?? "",
    counts: { ...known?.counts, message_count: 77 } as NonNullable<typeof known>["counts"],
  });
  assertEquals(look().messages, 77);
  fleet.add(1, { agoMs: 1_000 });
  assertEquals(look().messages, 2);
});

Deno.test("inspectSession() counts nothing in a huge transcript, and throws when one is gone", () => {
  using fleet = newFleet();
  const path = fleet.add(1);
  const session = { id: sessionId(1), path, bytes: MAX_COUNTED_BYTES + 1, modifiedMs: NOW_MS };
  const { messages, tool_calls, subagents, percent } = inspectSession(session, fleet.options());
  assertEquals([messages, tool_calls, subagents, percent], [null, null, null, 12]);
  const gone = { ...session, bytes: 10, path: `${path}.gone` };
  assertThrows(() => inspectSession(gone, fleet.options()), Deno.errors.NotFound);
});
