import { assertEquals, assertLess, assertStringIncludes, assertThrows } from "@std/assert";
import { withLockSync } from "../../src/store/lock.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import {
  MAX_BOARD_BYTES,
  openTriggers,
  readTriggers,
  takeTriggerText,
  TRIGGER_TTL_MS,
} from "../../src/watch/blackboard.ts";
import { blackboardPath, hasBlackboard } from "../../src/watch/board_path.ts";
import { triggerCheckpoint, type TriggerOptions } from "../../src/watch/trigger.ts";
import { POSIX } from "../posix.ts";
import { type Fleet, newFleet, NOW_MS, sessionId } from "./fleets.ts";
import { modeOf, namesIn } from "../folder.ts";

const REASON = "context_60_percent";

function ask(fleet: Fleet, more: TriggerOptions = {}, reason: string = REASON): string {
  const { projectDir, configDir } = fleet;
  const now = new Date(NOW_MS);
  const options = { projectDir, configDir, sessionId: sessionId(1), percent: 63, now, ...more };
  return triggerCheckpoint(reason as typeof REASON, options).id;
}

function deliver(fleet: Fleet, n = 1, laterMs = 0): string | null {
  return takeTriggerText(fleet.owner(n), NOW_MS + laterMs);
}

function save(fleet: Fleet, laterMs: number): void {
  const created = new Date(NOW_MS + laterMs).toISOString();
  updateSessionState(fleet.owner(1), () => ({ last_checkpoint: { id: "c", created } }));
}

Deno.test("triggerCheckpoint() appends a signed line to a private file that git ignores", () => {
  using fleet = newFleet();
  assertEquals(hasBlackboard(fleet.projectDir), false);
  const id = ask(fleet);
  assertEquals(hasBlackboard(fleet.projectDir), true);
  const path = blackboardPath(fleet.projectDir);
  const { mark, timestamp, ...line } = JSON.parse(Deno.readTextFileSync(path));
  const request = { type: "checkpoint_trigger", reason: REASON, session_id: sessionId(1) };
  assertEquals(line, { id, ...request, percent: 63 });
  assertEquals([timestamp, typeof mark], ["2026-03-01T10:00:00.000Z", "string"]);
  ask(fleet, { sessionId: null, percent: null }, "checkpoint_stale");
  assertEquals(readTriggers(fleet).map(({ percent }) => percent), [63, null]);
  assertEquals(Deno.readTextFileSync(`${path.slice(0, path.lastIndexOf("/"))}/.gitignore`), "*\n");
  if (POSIX) assertEquals(modeOf(path), 0o600);
});

Deno.test("triggerCheckpoint() refuses unknown reasons, percentages out of range and a missing project", () => {
  using fleet = newFleet();
  assertThrows(() => ask(fleet, {}, "a\nb"), TypeError, 'the reason is "a\\nb", expected');
  for (const percent of [-1, 101, 60.5, NaN]) {
    assertThrows(() => ask(fleet, { percent }), TypeError, `percent is ${percent}`);
  }
  const projectDir = `${fleet.projectDir}/none`;
  assertThrows(() => ask(fleet, { projectDir }), Deno.errors.NotFound);
  assertEquals(namesIn(fleet.projectDir), []);
  for (const percent of [0, 100]) ask(fleet, { percent });
  assertEquals(readTriggers(fleet).map(({ percent }) => percent), [0, 100]);
});

Deno.test("triggerCheckpoint() starts a new blackboard when it is full", () => {
  using fleet = newFleet();
  ask(fleet, { sessionId: "x".repeat(MAX_BOARD_BYTES - 1_000) });
  ask(fleet);
  assertEquals(readTriggers(fleet).length, 2);
  const last = [1, 2, 3].map(() => ask(fleet)).at(-1);
  const ids = new Set(readTriggers(fleet).map(({ session_id }) => session_id));
  assertEquals([ids, readTriggers(fleet).at(-1)?.id], [new Set([sessionId(1)]), last]);
  assertLess(Deno.statSync(blackboardPath(fleet.projectDir)).size, 2_000);
});

Deno.test("takeTriggerText() notifies only the addressed session, once for each request", () => {
  using fleet = newFleet();
  assertEquals(deliver(fleet), null);
  ask(fleet);
  assertEquals(deliver(fleet, 2), null);
  assertEquals(
    deliver(fleet),
    "Run /save-checkpoint now: the context is at 63%. A checkpoint saves what a compaction would lose. " +
      "Then continue your work.",
  );
  assertEquals(deliver(fleet), null);
  Deno.removeSync(blackboardPath(fleet.projectDir));
  ask(fleet, { percent: null });
  assertStringIncludes(deliver(fleet) ?? "", "the context is filling up.");
});

Deno.test("takeTriggerText() returns one text for several requests, and delivers a request for all sessions once to each", () => {
  using fleet = newFleet();
  ask(fleet, { percent: 61 });
  ask(fleet, { percent: 66 });
  ask(fleet, {}, "checkpoint_stale");
  assertStringIncludes(deliver(fleet) ?? "", "at 66%.");
  assertEquals(deliver(fleet), null);
  ask(fleet, { sessionId: null }, "checkpoint_stale");
  for (const n of [1, 2]) {
    assertStringIncludes(deliver(fleet, n) ?? "", "much work has been done since");
    assertEquals(deliver(fleet, n), null);
  }
});

Deno.test("takeTriggerText() ignores expired requests, and requests that a checkpoint has answered", () => {
  using fleet = newFleet();
  ask(fleet);
  assertEquals(deliver(fleet, 1, TRIGGER_TTL_MS), null);
  const open = (laterMs: number): number => openTriggers(fleet.owner(1), NOW_MS + laterMs).length;
  assertEquals([open(TRIGGER_TTL_MS - 1), open(TRIGGER_TTL_MS)], [1, 0]);
  save(fleet, -1_000);
  assertEquals(open(500), 1);
  save(fleet, 0);
  assertEquals([open(500), deliver(fleet, 1, 500)], [0, null]);
});

Deno.test("takeTriggerText() delivers a request at the next call if another process has locked the state", () => {
  using fleet = newFleet();
  ask(fleet);
  save(fleet, -60_000);
  const lock = `${fleet.projectDir}/.claude/trimtab/state/.lock`;
  withLockSync(lock, () => assertEquals(deliver(fleet), null));
  assertStringIncludes(deliver(fleet) ?? "", "at 63%.");
});

Deno.test("readTriggers() skips lines that are torn, damaged, altered or signed with another key", () => {
  using fleet = newFleet();
  using other = newFleet();
  ask(fleet, { percent: 1 });
  ask(other, { percent: 2 });
  const path = blackboardPath(fleet.projectDir);
  const own = Deno.readTextFileSync(path);
  const foreign = Deno.readTextFileSync(blackboardPath(other.projectDir));
  const { mark: _mark, ...unsigned } = JSON.parse(own);
  const lines = [
    foreign.trimEnd(),
    JSON.stringify(unsigned),
    own.trimEnd().replace('"percent":1', '"percent":99'),
    own.trimEnd().replace('"type":"checkpoint_trigger"', '"type":"x"'),
    ...['{"id":1}', "[]", "null", "# notes", "", own.slice(0, 90)],
  ];
  Deno.writeTextFileSync(path, lines.join("\n"));
  assertEquals([readTriggers(fleet), deliver(fleet)], [[], null]);
  // The next write first ends the torn line.
  ask(fleet, { percent: 3 });
  assertEquals(readTriggers(fleet).map(({ percent }) => percent), [3]);
  const spaced = JSON.stringify(JSON.parse(own), null, 1).replaceAll("\n", " ");
  Deno.writeTextFileSync(path, `${spaced}\r\n`);
  assertEquals(readTriggers(fleet).map(({ percent }) => percent), [1]);
});
