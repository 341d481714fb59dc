import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  createSession,
  endSession,
  getCurrentSessionNumber,
  UnknownSessionError,
} from "../../../src/designs/sessions.ts";
import {
  type CreateSessionOptions,
  lineageOf,
  workerOf,
} from "../../../src/saved/lineage/sessions.ts";
import { lineagePath, readLineage, recordEnd } from "../../../src/saved/lineage/file.ts";
import {
  type EndSessionOptions,
  keptSessions,
  type SessionRecord,
} from "../../../src/saved/lineage/rows.ts";
import { POSIX } from "../../posix.ts";
import { after, DAY_MS, listSessions, NOON, projectTest as test, secretToken } from "./sessions.ts";
import { modeOf, namesIn } from "../../folder.ts";

function noEnv(): undefined {}

function start(
  projectDir: string,
  id: string | null,
  changes: Partial<CreateSessionOptions> = {},
): SessionRecord {
  return createSession({ projectDir, sessionId: id, now: NOON, env: noEnv, ...changes });
}

function idsIn(projectDir: string): (string | null)[] {
  return listSessions({ projectDir }).map((one) => one.session_id);
}

function makeRecord(id: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...{ id, worker_id: "main", session_number: id, session_id: `s${id}` },
    ...{ parent_session_id: null, started_at: NOON.toISOString(), transcript: null },
    ...{ ended_at: null, end_reason: null, context_at_end: null, summary: null },
    ...changes,
  };
}

function endedSession(
  id: number,
  daysAgo: number,
  changes: Partial<SessionRecord> = {},
): SessionRecord {
  const ended_at = new Date(NOON.getTime() - daysAgo * DAY_MS).toISOString();
  return makeRecord(id, { ended_at, end_reason: "exit", ...changes });
}

test("createSession() writes a human-readable record", ({ projectDir }) => {
  const transcript =
    "/home/me/.claude/projects/-home-me-p/b82405ba-0000-4000-8000-000000000000.jsonl";
  const record = start(projectDir, "a", { parentSessionId: "z", transcript });
  assertEquals(record, makeRecord(1, { session_id: "a", parent_session_id: "z", transcript }));
  const path = lineagePath(projectDir);
  assertEquals(path, `${projectDir}/.claude/trimtab/sessions.json`);
  const expected = `${JSON.stringify({ version: 1, sessions: [record] }, null, 2)}\n`;
  assertEquals(Deno.readTextFileSync(path), expected);
  if (POSIX) assertEquals(modeOf(path), 0o600);
  assertEquals(Deno.readTextFileSync(`${projectDir}/.claude/trimtab/.gitignore`), "*\n");
});

test("createSession() counts the sessions of each worker separately", ({ projectDir }) => {
  const records = ["main", "7", "main", "7", "7"].map((workerId, index) =>
    start(projectDir, `s${index}`, { workerId })
  );
  assertEquals(records.map((one) => one.session_number), [1, 1, 2, 2, 3]);
  assertEquals(records.map((one) => one.id), [1, 2, 3, 4, 5]);
  assertEquals(getCurrentSessionNumber("main", { projectDir }), 2);
  assertEquals(getCurrentSessionNumber(7, { projectDir }), 3);
  assertEquals(getCurrentSessionNumber("nobody", { projectDir }), 0);
});

test("createSession() reads the worker from WORK_WORKER_ID", ({ projectDir }) => {
  const env = (name: string): string | undefined => name === "WORK_WORKER_ID" ? "12" : undefined;
  assertEquals(start(projectDir, "a", { env }).worker_id, "12");
  assertEquals(start(projectDir, "b").worker_id, "main");
  assertEquals([workerOf(env), workerOf(() => " ")], ["12", "main"]);
});

test("createSession() changes nothing when the session is already open", ({ projectDir }) => {
  const first = start(projectDir, "a", { transcript: "/t" });
  const before = Deno.statSync(lineagePath(projectDir)).ino;
  assertEquals(start(projectDir, "a", { now: after(5), workerId: "other" }), first);
  assertEquals(Deno.statSync(lineagePath(projectDir)).ino, before);
});

test("createSession() reopens a session that is resumed", ({ projectDir }) => {
  const first = start(projectDir, "a");
  endSession({ projectDir, sessionId: "a", reason: "exit", contextAtEnd: 40, now: after(1) });
  assertEquals(start(projectDir, "a", { now: after(2) }), first);
  assertEquals(listSessions({ projectDir }), [first]);
});

test("createSession() assigns the announced record to the session that continues its parent", ({ projectDir }) => {
  start(projectDir, "a", { workerId: "w" });
  const announced = start(projectDir, null, { parentSessionId: "a", workerId: "w" });
  assertEquals([announced.session_id, announced.session_number], [null, 2]);
  assertEquals(getCurrentSessionNumber("w", { projectDir }), 2);
  assertEquals(start(projectDir, null, { parentSessionId: "a", now: after(1) }).id, announced.id);
  const other = start(projectDir, "other", { workerId: "w" });
  const child = start(projectDir, "b", { parentSessionId: "a", now: after(3) });
  assertEquals([child.id, child.session_number, child.worker_id], [2, 2, "w"]);
  assertEquals([other.session_number, child.started_at], [3, after(3).toISOString()]);
  assertEquals(start(projectDir, "c", { parentSessionId: "a", workerId: "w" }).session_number, 4);
});

test("createSession() records sessions of a worker before their ids are known", ({ projectDir }) => {
  const planned = [1, 2].map(() => start(projectDir, null, { workerId: 7 }));
  assertEquals(planned.map((one) => [one.session_id, one.session_number]), [[null, 1], [null, 2]]);
  assertEquals(getCurrentSessionNumber(7, { projectDir }), 2);
  // A new session without a parent takes its worker's oldest waiting record.
  assertEquals(start(projectDir, "other").session_number, 1);
  assertEquals(start(projectDir, "child", { workerId: 7, parentSessionId: "x" }).id, 4);
  assertEquals(start(projectDir, "a", { workerId: 7 }).id, planned[0]?.id);
  assertEquals(start(projectDir, "child", { workerId: 7 }).id, 4, "the child keeps its record");
  assertEquals(idsIn(projectDir), ["a", null, "other", "child"]);
});

test("endSession() rejects values that would make a record invalid, and writes nothing", ({ projectDir }) => {
  start(projectDir, "a");
  const before = Deno.readTextFileSync(lineagePath(projectDir));
  for (const end of [{ reason: "tired" }, { reason: "exit", contextAtEnd: NaN }]) {
    const options = { projectDir, sessionId: "a", ...end } as EndSessionOptions;
    assertThrows(() => endSession(options), RangeError, "Cannot end session: ");
  }
  assertEquals(Deno.readTextFileSync(lineagePath(projectDir)), before);
});

test("endSession() ends a session by its record number", ({ projectDir }) => {
  const { id } = createSession({ projectDir, workerId: 7, now: NOON });
  const end = { reason: "rollover", contextAtEnd: 75, summary: "Test summary" } as const;
  const { end_reason, context_at_end, summary } = endSession({ projectDir, id, ...end });
  assertEquals([end_reason, context_at_end, summary], Object.values(end));
  const { session_number } = start(projectDir, "a", { workerId: 7 });
  assertEquals(session_number, 2, "the ended record no longer waits");
  assertThrows(() => endSession({ projectDir, id: 9, ...end }), UnknownSessionError, "record 9");
  // A record without a session id does not match a missing session id.
  createSession({ projectDir, workerId: 7 });
  assertThrows(() => endSession({ projectDir, ...end }), UnknownSessionError);
});

test("createSession() moves a session that already has a record to the announced record", ({ projectDir }) => {
  start(projectDir, "a");
  start(projectDir, null, { parentSessionId: "a" });
  assertEquals(start(projectDir, "b").session_number, 3);
  const child = start(projectDir, "b", { parentSessionId: "a" });
  assertEquals([child.id, child.session_number, child.parent_session_id], [2, 2, "a"]);
  assertEquals(idsIn(projectDir), ["a", "b"]);
});

test("createSession() rejects invalid ids and a missing project", ({ projectDir }) => {
  assertThrows(() => start(projectDir, ""), RangeError, "its id has 0 characters");
  assertThrows(() => start(projectDir, "x".repeat(201)), RangeError);
  assertThrows(() => start(`${projectDir}/gone`, "a"), Deno.errors.NotFound);
  assertEquals(namesIn(projectDir), []);
  assertEquals(start(projectDir, "x".repeat(200)).id, 1, "the longest id");
});

test("endSession() records why and how a session ended", ({ projectDir }) => {
  start(projectDir, "a");
  const end = { projectDir, sessionId: "a", now: after(9) };
  const record = endSession({ ...end, reason: "rollover", contextAtEnd: 77.6, summary: " Done. " });
  const ended = { ended_at: after(9).toISOString(), end_reason: "rollover" } as const;
  const details = { session_id: "a", context_at_end: 78, summary: "Done." };
  assertEquals(record, makeRecord(1, { ...ended, ...details }));
  assertEquals(listSessions({ projectDir }), [record]);
});

test("endSession() keeps a recorded end, but a rollover replaces it", ({ projectDir }) => {
  start(projectDir, "a");
  const end = { projectDir, sessionId: "a" };
  endSession({ ...end, reason: "exit", now: after(1) });
  const rolled = endSession({ ...end, reason: "rollover", summary: "one", now: after(2) });
  assertEquals(rolled.end_reason, "rollover");
  assertEquals(endSession({ ...end, reason: "clear", contextAtEnd: 1, now: after(3) }), rolled);
  const again = endSession({ ...end, reason: "rollover", summary: "two", now: after(4) });
  assertEquals([again.summary, again.ended_at], ["two", after(4).toISOString()]);
});

test("recordEnd() returns the record of the ended session, and creates no folder without a lineage", ({ projectDir }) => {
  const end = { projectDir: projectDir, sessionId: "a", reason: "exit" } as const;
  assertEquals(recordEnd(end).value, null);
  assertEquals(namesIn(projectDir), []);
  start(projectDir, "a");
  assertEquals(recordEnd(end).value?.session_id, "a");
  assertEquals(listSessions({ projectDir }).map((one) => one.end_reason), ["exit"]);
});

test("endSession() removes credentials and bounds its texts", ({ projectDir }) => {
  const token = secretToken();
  start(projectDir, "a", { workerId: `w ${token}`, transcript: `/t/${token}` });
  const summary = `with ${token}\n${"long ".repeat(5_000)}`;
  const record = endSession({ projectDir, sessionId: "a", reason: "rollover", summary });
  assert(!Deno.readTextFileSync(lineagePath(projectDir)).includes(token));
  assertStringIncludes(record.summary ?? "", "[redacted: github-token]");
  assertEquals(record.summary?.length, 4_000);
});

test("lineageOf() follows parents to the first session, and stops at a cycle", ({ projectDir }) => {
  start(projectDir, "a", { parentSessionId: "gone" });
  start(projectDir, "b", { parentSessionId: "a" });
  start(projectDir, "side", { parentSessionId: "a" });
  start(projectDir, "c", { parentSessionId: "b" });
  const ids = (id: string): unknown[] => lineageOf(id, { projectDir }).map((one) => one.session_id);
  assertEquals([ids("c"), ids("side"), ids("a")], [["c", "b", "a"], ["side", "a"], ["a"]]);
  assertEquals([ids("nobody"), ids("gone")], [[], []]);
  // A session is never its own parent, and a cycle written by hand does no harm.
  assertEquals(start(projectDir, "own", { parentSessionId: "own" }).parent_session_id, null);
  const sessions = listSessions({ projectDir })
    .map((one) => one.session_id === "a" ? { ...one, parent_session_id: "c" } : one);
  Deno.writeTextFileSync(lineagePath(projectDir), JSON.stringify({ version: 1, sessions }));
  assertEquals(ids("c"), ["c", "b", "a"]);
});

function damagedCopies(projectDir: string): string[] {
  const folder = `${projectDir}/.claude/trimtab`;
  return namesIn(folder).filter((name) => /^sessions\.damaged-.*\.json$/.test(name))
    .map((name) => `${folder}/${name}`);
}

test("createSession() repairs a damaged lineage, reports it once and keeps the old file", ({ projectDir }) => {
  for (const id of ["a", "b", "c"]) start(projectDir, id);
  const path = lineagePath(projectDir);
  const original = Deno.readTextFileSync(path);
  const damagedFiles: [string, number][] = [
    [original.slice(0, -20), 0],
    [original.replace('"version": 1', '"version": 2'), 0],
    [original.replace('"id": 2', '"id": "two"'), 2],
    ["", 0],
    ["[]", 0],
  ];
  for (const [index, [damage, left]] of damagedFiles.entries()) {
    for (const copy of damagedCopies(projectDir)) Deno.removeSync(copy);
    Deno.writeTextFileSync(path, damage);
    const before = readLineage({ projectDir });
    assertEquals(before.sessions.length, left, `damage ${index}`);
    assert(before.problem !== null);
    const { warning } = createSession({ projectDir, sessionId: "d", workerId: "main" });
    assertStringIncludes(warning ?? "", `Repaired "${path}"`);
    const after = readLineage({ projectDir });
    assertEquals([after.problem, after.sessions.length], [null, left + 1]);
    assertEquals(after.sessions.slice(0, -1), before.sessions);
    assertEquals(createSession({ projectDir, sessionId: "d" }).warning, undefined);
    assertEquals(damagedCopies(projectDir).map((copy) => Deno.readTextFileSync(copy)), [damage]);
  }
});

test("createSession() renames an oversized lineage, and keeps only a few such files", ({ projectDir }) => {
  start(projectDir, "a");
  for (let minute = 0; minute < 12; minute++) {
    Deno.writeTextFileSync(lineagePath(projectDir), " ".repeat(minute < 11 ? 3 : 9 * 1024 * 1024));
    Deno.utimeSync(lineagePath(projectDir), after(minute), after(minute));
    const { warning } = createSession({ projectDir, sessionId: `s${minute}` });
    const problem = minute < 11 ? "not contain a lineage" : "It had more than 8388608 bytes.";
    assertStringIncludes(warning ?? "", problem);
  }
  assertEquals(idsIn(projectDir), ["s11"]);
  const kept = damagedCopies(projectDir);
  assertEquals(kept.length, 10);
  const newest = `${projectDir}/.claude/trimtab/sessions.damaged-2026-03-01T121100.000Z.json`;
  assertEquals(kept.at(-1), newest);
  assertEquals(Deno.statSync(newest).size, 9 * 1024 * 1024);
});

test("endSession() keeps unknown fields of a record", ({ projectDir }) => {
  start(projectDir, "a");
  const sessions = listSessions({ projectDir }).map((one) => ({ ...one, mood: "good" }));
  Deno.writeTextFileSync(lineagePath(projectDir), JSON.stringify({ version: 1, sessions }));
  endSession({ projectDir, sessionId: "a", reason: "exit" });
  assertStringIncludes(Deno.readTextFileSync(lineagePath(projectDir)), '"mood": "good"');
});

Deno.test("keptSessions() drops expired sessions, but never the newest of a worker", () => {
  const rows = [
    endedSession(1, 30),
    makeRecord(2),
    endedSession(3, 8),
    endedSession(4, 6),
    endedSession(8, 7),
    makeRecord(5, { session_id: null, started_at: after(-9 * 24 * 60).toISOString() }),
    endedSession(6, 30, { worker_id: "w", session_number: 1 }),
    endedSession(7, 20),
  ];
  const retention = { nowMs: NOON.getTime(), retentionDays: 7 };
  assertEquals(keptSessions(rows, retention).map(({ id }) => id), [2, 4, 8, 6, 7]);
});

Deno.test("keptSessions() drops the oldest sessions if there are more than 300", () => {
  const rows = Array.from({ length: 302 }, (_, index) => makeRecord(index + 1));
  const kept = keptSessions(rows, { nowMs: NOON.getTime(), retentionDays: 7 });
  assertEquals(kept, rows.slice(2));
});

test("createSession() continues counting when all old sessions are gone", ({ projectDir }) => {
  for (const id of ["a", "b", "c"]) {
    start(projectDir, id);
    endSession({ projectDir, sessionId: id, reason: "exit", now: NOON });
  }
  const now = new Date(NOON.getTime() + 30 * DAY_MS);
  assertEquals(start(projectDir, "d", { now }).session_number, 4);
  assertEquals(idsIn(projectDir), ["d"]);
  // The parent of a new session may have been dropped.
  assertEquals(start(projectDir, "e", { now, parentSessionId: "c" }).session_number, 5);
});
