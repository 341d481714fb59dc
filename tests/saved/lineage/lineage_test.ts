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
import { keptSessions, type SessionRecord } from "../../../src/saved/lineage/rows.ts";
import { POSIX } from "../../posix.ts";
import { after, DAY_MS, listSessions, NOON, secretToken, tempProject } from "./sessions.ts";
import "../../own_config.ts";

function start(
  projectDir: string,
  id: string | null,
  changes: Partial<CreateSessionOptions> = {},
): SessionRecord {
  const env = (): undefined => undefined;
  return createSession({ projectDir, sessionId: id, now: NOON, env, ...changes });
}

function makeRecord(id: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    worker_id: "main",
    session_number: id,
    session_id: `s${id}`,
    parent_session_id: null,
    started_at: NOON.toISOString(),
    ended_at: null,
    end_reason: null,
    context_at_end: null,
    summary: null,
    transcript: null,
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

Deno.test("createSession() writes a human-readable record", () => {
  using place = tempProject();
  const transcript =
    "/home/me/.claude/projects/-home-me-p/b82405ba-0000-4000-8000-000000000000.jsonl";
  const record = start(place.projectDir, "a", { parentSessionId: "z", transcript });
  assertEquals(record, makeRecord(1, { session_id: "a", parent_session_id: "z", transcript }));
  const path = lineagePath(place.projectDir);
  assertEquals(path, `${place.projectDir}/.claude/trimtab/sessions.json`);
  assertEquals(
    Deno.readTextFileSync(path),
    `${JSON.stringify({ version: 1, sessions: [record] }, null, 2)}\n`,
  );
  if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assertEquals(Deno.readTextFileSync(`${place.projectDir}/.claude/trimtab/.gitignore`), "*\n");
});

Deno.test("createSession() counts the sessions of each worker separately", () => {
  using place = tempProject();
  const records = ["main", "7", "main", "7", "7"].map((workerId, index) =>
    start(place.projectDir, `s${index}`, { workerId })
  );
  assertEquals(records.map((one) => one.session_number), [1, 1, 2, 2, 3]);
  assertEquals(records.map((one) => one.id), [1, 2, 3, 4, 5]);
  const { projectDir } = place;
  assertEquals(getCurrentSessionNumber("main", { projectDir }), 2);
  assertEquals(getCurrentSessionNumber(7, { projectDir }), 3);
  assertEquals(getCurrentSessionNumber("nobody", { projectDir }), 0);
});

Deno.test("createSession() reads the worker from WORK_WORKER_ID", () => {
  using place = tempProject();
  const env = (name: string): string | undefined => name === "WORK_WORKER_ID" ? "12" : undefined;
  assertEquals(start(place.projectDir, "a", { env }).worker_id, "12");
  assertEquals(start(place.projectDir, "b").worker_id, "main");
  assertEquals([workerOf(env), workerOf(() => " ")], ["12", "main"]);
});

Deno.test("createSession() changes nothing when the session is already open", () => {
  using place = tempProject();
  const first = start(place.projectDir, "a", { transcript: "/t" });
  const before = Deno.statSync(lineagePath(place.projectDir)).ino;
  assertEquals(start(place.projectDir, "a", { now: after(5), workerId: "other" }), first);
  assertEquals(Deno.statSync(lineagePath(place.projectDir)).ino, before);
});

Deno.test("createSession() reopens a session that is resumed", () => {
  using place = tempProject();
  const { projectDir } = place;
  const first = start(projectDir, "a");
  endSession({ projectDir, sessionId: "a", reason: "exit", contextAtEnd: 40, now: after(1) });
  assertEquals(start(projectDir, "a", { now: after(2) }), first);
  assertEquals(listSessions({ projectDir }), [first]);
});

Deno.test("createSession() gives the announced record to the session that continues its parent", () => {
  using place = tempProject();
  const { projectDir } = place;
  start(projectDir, "a", { workerId: "w" });
  const announced = start(projectDir, null, { parentSessionId: "a", workerId: "w" });
  assertEquals([announced.session_id, announced.session_number], [null, 2]);
  assertEquals(getCurrentSessionNumber("w", { projectDir }), 2);
  // A repeated announcement keeps the record.
  assertEquals(start(projectDir, null, { parentSessionId: "a", now: after(1) }).id, announced.id);
  const other = start(projectDir, "other", { workerId: "w" });
  const child = start(projectDir, "b", { parentSessionId: "a", now: after(3) });
  assertEquals([child.id, child.session_number, child.worker_id], [2, 2, "w"]);
  assertEquals([other.session_number, child.started_at], [3, after(3).toISOString()]);
  assertEquals(start(projectDir, "c", { parentSessionId: "a", workerId: "w" }).session_number, 4);
});

Deno.test("createSession() records sessions of a worker before their ids are known", () => {
  using place = tempProject();
  const { projectDir } = place;
  const env = (): undefined => undefined;
  const planned = [1, 2].map(() => createSession({ projectDir, workerId: 7, now: NOON, env }));
  assertEquals(planned.map((one) => [one.session_id, one.session_number]), [[null, 1], [null, 2]]);
  assertEquals(getCurrentSessionNumber(7, { projectDir }), 2);
  // Each session that starts takes its worker's oldest waiting record.
  assertEquals(start(projectDir, "other").session_number, 1);
  assertEquals(start(projectDir, "child", { workerId: 7, parentSessionId: "x" }).id, 4);
  assertEquals(start(projectDir, "a", { workerId: 7 }).id, planned[0]?.id);
  assertEquals(
    start(projectDir, "child", { workerId: 7 }).id,
    4,
    "an existing session keeps its record",
  );
  assertEquals(listSessions({ projectDir }).map((one) => one.session_id), [
    "a",
    null,
    "other",
    "child",
  ]);
});

Deno.test("endSession() rejects values that would be read as damage, and writes nothing", () => {
  using place = tempProject();
  const { projectDir } = place;
  start(projectDir, "a");
  const before = Deno.readTextFileSync(lineagePath(projectDir));
  const ends: readonly Record<string, unknown>[] = [
    { reason: "tired" },
    { reason: "exit", contextAtEnd: NaN },
  ];
  for (const end of ends) {
    const options = { projectDir, sessionId: "a", ...end } as Parameters<typeof endSession>[0];
    const error = assertThrows(() => endSession(options), RangeError);
    assertStringIncludes(error.message, "Cannot end session: ");
  }
  assertEquals(Deno.readTextFileSync(lineagePath(projectDir)), before);
});

Deno.test("endSession() ends a session by the number of its record", () => {
  using place = tempProject();
  const { projectDir } = place;
  const { id } = createSession({ projectDir, workerId: 7, now: NOON });
  const end = { reason: "rollover", contextAtEnd: 75, summary: "Test summary" } as const;
  const endedSession = endSession({ projectDir, id, ...end, now: after(1) });
  assertEquals(
    [
      endedSession.end_reason,
      endedSession.context_at_end,
      endedSession.summary,
      endedSession.ended_at,
    ],
    ["rollover", 75, "Test summary", after(1).toISOString()],
  );
  assertEquals(start(projectDir, "a", { workerId: 7 }).session_number, 2, "it no longer waits");
  const error = assertThrows(() => endSession({ projectDir, id: 9, ...end }), UnknownSessionError);
  assertStringIncludes(error.message, "record 9");
  // A record without a session id does not match a missing session id.
  createSession({ projectDir, workerId: 7 });
  assertThrows(() => endSession({ projectDir, ...end }), UnknownSessionError);
});

Deno.test("createSession() moves a session that was already counted to the announced record", () => {
  using place = tempProject();
  const { projectDir } = place;
  start(projectDir, "a");
  start(projectDir, null, { parentSessionId: "a" });
  assertEquals(start(projectDir, "b").session_number, 3);
  const child = start(projectDir, "b", { parentSessionId: "a" });
  assertEquals([child.id, child.session_number, child.parent_session_id], [2, 2, "a"]);
  assertEquals(listSessions({ projectDir }).map((one) => one.session_id), ["a", "b"]);
});

Deno.test("createSession() rejects invalid ids and a missing project", () => {
  using place = tempProject();
  assertThrows(() => start(place.projectDir, ""), RangeError, "its id has 0 characters");
  assertThrows(() => start(place.projectDir, "x".repeat(201)), RangeError);
  assertThrows(() => start(`${place.projectDir}/gone`, "a"), Deno.errors.NotFound);
  assertEquals([...Deno.readDirSync(place.projectDir)], []);
});

Deno.test("endSession() records why and how a session ended", () => {
  using place = tempProject();
  const { projectDir } = place;
  start(projectDir, "a");
  const end = { projectDir, sessionId: "a", now: after(9) };
  const record = endSession({ ...end, reason: "rollover", contextAtEnd: 77.6, summary: " Done. " });
  assertEquals(
    record,
    makeRecord(1, {
      session_id: "a",
      ended_at: after(9).toISOString(),
      end_reason: "rollover",
      context_at_end: 78,
      summary: "Done.",
    }),
  );
  assertEquals(listSessions({ projectDir }), [record]);
});

Deno.test("endSession() keeps a recorded end unless a rollover or a trim has more details", () => {
  using place = tempProject();
  const { projectDir } = place;
  start(projectDir, "a");
  const end = { projectDir, sessionId: "a" };
  endSession({ ...end, reason: "exit", now: after(1) });
  const rolled = endSession({ ...end, reason: "rollover", summary: "one", now: after(2) });
  assertEquals(rolled.end_reason, "rollover");
  assertEquals(endSession({ ...end, reason: "clear", contextAtEnd: 1, now: after(3) }), rolled);
  const again = endSession({ ...end, reason: "rollover", summary: "two", now: after(4) });
  assertEquals([again.summary, again.ended_at], ["two", after(4).toISOString()]);
});

Deno.test("recordEnd() returns the ended record if there is one, and creates no folder without a lineage", () => {
  using place = tempProject();
  const end = { projectDir: place.projectDir, sessionId: "a", reason: "exit" } as const;
  assertEquals(recordEnd(end).value, null);
  assertEquals([...Deno.readDirSync(place.projectDir)], []);
  start(place.projectDir, "a");
  assertEquals(recordEnd(end).value?.session_id, "a");
  assertEquals(listSessions(place).map((one) => one.end_reason), ["exit"]);
});

Deno.test("endSession() removes credentials and bounds its texts", () => {
  using place = tempProject();
  const { projectDir } = place;
  const token = secretToken();
  start(projectDir, "a", { workerId: `w ${token}`, transcript: `/t/${token}` });
  const summary = `with ${token}\n${"long ".repeat(5_000)}`;
  const record = endSession({ projectDir, sessionId: "a", reason: "rollover", summary });
  assert(!Deno.readTextFileSync(lineagePath(projectDir)).includes(token));
  assertStringIncludes(record.summary ?? "", "[redacted: github-token]");
  assertEquals(record.summary?.length, 4_000);
});

Deno.test("lineageOf() goes back to the first session, and stops at a cycle of parents", () => {
  using place = tempProject();
  const { projectDir } = place;
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

Deno.test("createSession() repairs a damaged lineage, reports it once and keeps the old file", () => {
  using place = tempProject();
  const { projectDir } = place;
  for (const id of ["a", "b", "c"]) start(projectDir, id);
  const path = lineagePath(projectDir);
  const original = Deno.readTextFileSync(path);
  const damagedFiles: [string, number][] = [
    [original.slice(0, -20), 0],
    [original.replace('"version": 1', '"version": 2'), 0],
    [original.replace('"id": 2', '"id": "two"'), 2],
    [original.replace('"id": 2', '"id": 1'), 2],
    [original.replace('"session_number": 2', '"session_number": 1'), 2],
    ["", 0],
    ["[]", 0],
  ];
  for (const [index, [damage, left]] of damagedFiles.entries()) {
    for (const { name } of Deno.readDirSync(`${projectDir}/.claude/trimtab`)) {
      if (name.startsWith("sessions.damaged")) {
        Deno.removeSync(`${projectDir}/.claude/trimtab/${name}`);
      }
    }
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
    const kept = [...Deno.readDirSync(`${projectDir}/.claude/trimtab`)].map(({ name }) => name)
      .filter((name) => name.startsWith("sessions.damaged-") && name.endsWith(".json"));
    assertEquals(kept.length, 1);
    assertEquals(Deno.readTextFileSync(`${projectDir}/.claude/trimtab/${kept[0]}`), damage);
  }
});

Deno.test("createSession() renames an oversized lineage, and keeps only a few such files", () => {
  using place = tempProject();
  const { projectDir } = place;
  const folder = `${projectDir}/.claude/trimtab`;
  start(projectDir, "a");
  for (let minute = 0; minute < 12; minute++) {
    Deno.writeTextFileSync(lineagePath(projectDir), " ".repeat(minute < 11 ? 3 : 9 * 1024 * 1024));
    Deno.utimeSync(lineagePath(projectDir), after(minute), after(minute));
    const { warning } = createSession({ projectDir, sessionId: `s${minute}` });
    assertStringIncludes(
      warning ?? "",
      minute < 11 ? "not contain a lineage" : "It had more than 8388608 bytes.",
    );
  }
  assertEquals(listSessions(place).map((one) => one.session_id), ["s11"]);
  const kept = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.startsWith("sessions.damaged-")).sort();
  assertEquals(kept.length, 10);
  assertEquals(kept.at(-1), "sessions.damaged-2026-03-01T121100.000Z.json");
  assertEquals(Deno.statSync(`${folder}/${kept.at(-1)}`).size, 9 * 1024 * 1024);
});

Deno.test("createSession() keeps unknown fields of a record", () => {
  using place = tempProject();
  const { projectDir } = place;
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
    makeRecord(5, {
      session_id: null,
      started_at: new Date(NOON.getTime() - 9 * DAY_MS).toISOString(),
    }),
    endedSession(6, 30, { worker_id: "w", session_number: 1 }),
    endedSession(7, 20),
  ];
  const retention = { nowMs: NOON.getTime(), retentionDays: 7 };
  assertEquals(keptSessions(rows, retention).map(({ id }) => id), [2, 4, 6, 7]);
});

Deno.test("keptSessions() drops the oldest ended sessions first if there are too many", () => {
  const rows = [
    makeRecord(1),
    endedSession(2, 1),
    endedSession(3, 1),
    makeRecord(4),
    endedSession(5, 1),
    makeRecord(6),
  ];
  const retention = { nowMs: NOON.getTime(), retentionDays: 7 };
  const keptIds = (maxSessions: number): number[] =>
    keptSessions(rows, { ...retention, maxSessions }).map(({ id }) => id);
  assertEquals([keptIds(5), keptIds(3), keptIds(1)], [[1, 3, 4, 5, 6], [1, 4, 6], [6]]);
});

Deno.test("createSession() continues counting when all old sessions are gone", () => {
  using place = tempProject();
  const { projectDir } = place;
  for (const id of ["a", "b", "c"]) {
    start(projectDir, id);
    endSession({ projectDir, sessionId: id, reason: "exit", now: NOON });
  }
  const now = new Date(NOON.getTime() + 30 * DAY_MS);
  assertEquals(start(projectDir, "d", { now }).session_number, 4);
  assertEquals(listSessions({ projectDir }).map((one) => one.session_id), ["d"]);
  // Sessions remain when their parents are dropped.
  assertEquals(start(projectDir, "e", { now, parentSessionId: "c" }).session_number, 5);
});
