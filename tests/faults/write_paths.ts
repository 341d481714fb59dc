/** Every way in which trimtab writes files, each with a check of its result. */

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { recordTrimmedCopy } from "../../src/verbs/record_copy.ts";
import { readTriggers } from "../../src/watch/blackboard.ts";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { liveLogPaths, type LiveRecord, logShaped } from "../../src/live/live_log.ts";
import { keepOutput, spillFolder } from "../../src/live/spill.ts";
import { checkpointSession } from "../../src/saved/session.ts";
import { listCheckpoints } from "../../src/saved/store.ts";
import { indexCheckpoint, readIndex } from "../../src/saved/project_index.ts";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { recordLeftSession } from "../../src/saved/lineage/left_session.ts";
import { snapshotOf } from "../../src/saved/save.ts";
import { saveSnapshot } from "../../src/designs/save_snapshot.ts";
import { createSession, endSession } from "../../src/designs/sessions.ts";
import { rollOver, type RollOverOptions } from "../../src/saved/lineage/roll_over.ts";
import { claimHandoff, findHandoff, listHandoffs } from "../../src/saved/lineage/handoffs.ts";
import { isMarkedAsOwn, markAsOwn } from "../../src/store/own_marks.ts";
import { readSessionState, sessionStatePath, type StateOwner } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { trimSession } from "../../src/trim/trim_session.ts";
import { sampleState } from "../saved/checkpoints.ts";
import { listSessions, SUMMARY } from "../saved/lineage/sessions.ts";
import { CARE_PATHS } from "./care_paths.ts";
import { EARLIER, type Place, SESSION } from "./place.ts";
import { idOf, timeOf, type WritePath } from "./write_path.ts";
import "../own_config.ts";
import { namesIn } from "../folder.ts";

export const WRITE_PATHS: readonly WritePath[] = [
  {
    name: "trim",
    run: trim,
    assertDone(place, round): void {
      const id = idOf("c0", round);
      const path = place.transcript.replace(SESSION, id);
      assert(Deno.readTextFileSync(path).includes("[...truncated"));
      assertOwned(place, id);
      const row = listSessions(place).find((row) => row.session_id === id);
      assertEquals(row?.parent_session_id, SESSION);
    },
  },
  {
    name: "checkpoint",
    run: (place, round) =>
      checkpointSession({ ...sessionOf(place, round), trigger: "manual", usagePercent: 80 })
        .saved?.warning,
    assertDone(place, round): void {
      const created = `${new Date(timeOf(round)).toISOString().slice(0, 19)}Z`;
      const found = listCheckpoints(place).find((checkpoint) => checkpoint.created === created);
      assertEquals(found?.verified, true);
      assert(readIndex(place.configDir).checkpoints.some(({ id }) => id === found?.id));
      assert((stateOf(place).last_checkpoint?.created ?? "") >= created);
      const numbers = listCheckpoints(place).map(({ iteration }) => iteration);
      assertEquals(new Set(numbers).size, numbers.length);
    },
  },
  {
    name: "checkpoint index",
    run: (place, round) => indexCheckpoint({ ...place, nowMs: timeOf(round) }),
    assertDone(place, round): void {
      const time = new Date(timeOf(round)).toISOString();
      assertEquals(readIndex(place.configDir).last_updated, time);
    },
  },
  {
    name: "snapshot",
    run: (place, round) =>
      saveSnapshot(snapshotOf(sampleState()), { ...place, now: new Date(timeOf(round)) }),
    assertDone(place, round): void {
      const stamp = new Date(timeOf(round)).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
      const folder = `${place.projectDir}/.claude/runtime/context-snapshots`;
      Deno.statSync(`${folder}/${stamp.replace("T", "_")}.json`);
    },
  },
  {
    name: "mark",
    run: (place, round) => markAsOwn(place, markName(round), "text"),
    assertDone(place, round): void {
      assert(isMarkedAsOwn(place, markName(round), "text"));
      assert(!isMarkedAsOwn(place, markName(round), "other"));
    },
  },
  {
    name: "lineage",
    run(place, round): void {
      const options = { projectDir: place.projectDir, now: new Date(timeOf(round)) };
      createSession({ ...options, sessionId: idOf("a0", round), workerId: "main" });
      endSession({ ...options, sessionId: idOf("a0", round), reason: "exit" });
    },
    assertDone(place, round): void {
      const row = listSessions(place).find((row) => row.session_id === idOf("a0", round));
      assertEquals(row?.end_reason, "exit");
      const numbers = listSessions(place).map((row) => row.session_number);
      assertEquals(new Set(numbers).size, numbers.length);
    },
  },
  {
    name: "handoff",
    run: (place, round) =>
      rollOver({
        ...sessionOf(place, round),
        summary: `${SUMMARY}\nRound ${round}.`,
        percent: 80,
      }).warning,
    assertDone(place, round): void {
      const found = findHandoff(place.projectDir, SESSION);
      assert(Deno.readTextFileSync(found?.view ?? "").includes(`Round ${round}.`));
      const row = listSessions(place).find((row) => row.session_id === SESSION);
      assertEquals(row?.end_reason, "rollover");
    },
  },
  {
    name: "handoff claim",
    run: (place, round) =>
      claimHandoff({ ...place, sessionId: idOf("b0", round), nowMs: timeOf(0) }),
    assertDone(place): void {
      const [found] = listHandoffs(place.projectDir);
      assertEquals([found?.id, found?.handoff.claimed_by.length], [EARLIER, 1]);
    },
  },
  {
    name: "blackboard",
    run: (place, round) =>
      triggerCheckpoint("checkpoint_stale", { ...ownerOf(place), sessionId: `round-${round}` }),
    assertDone(place, round): void {
      const requested = readTriggers({ projectDir: place.projectDir }).map((row) => row.session_id);
      assertEquals(requested.filter((id) => id === `round-${round}`).length, 1);
    },
  },
  eventLog("event log", 4_000),
  // A limit this small, in bytes, makes the log rotate.
  eventLog("rotating event log", 250),
  {
    name: "session state",
    run: (place, round) => updateSessionState(ownerOf(place), () => ({ usage_tokens: round })),
    assertDone(place, round): void {
      const { window_tokens, usage_tokens } = stateOf(place);
      assertEquals([window_tokens, usage_tokens], [1_000_000, round]);
    },
  },
  {
    name: "shaped output",
    run: (place, round) =>
      keepOutput(ownerOf(place), { toolUseId: `toolu_${round}`, text: "x".repeat(10_000) }),
    assertDone(place, round): void {
      Deno.statSync(`${spillFolder(place.projectDir)}/${SESSION}/toolu_${round}.txt`);
    },
  },
  {
    name: "shaping log",
    run: (place, round) => logShaped(place.projectDir, recordOf(round)),
    assertDone(place, round): void {
      const text = Deno.readTextFileSync(liveLogPaths(place.projectDir).newest);
      assert(text.includes(JSON.stringify(recordOf(round))));
    },
  },
  {
    name: "left session",
    run: (place, round) => {
      const left = { session_id: idOf("e0", round), left_at: timeOf(round), prompt_id: "p" };
      return recordLeftSession(place.projectDir, left);
    },
    assertDone(place, round): void {
      const path = `${place.projectDir}/.claude/trimtab/left.json`;
      assert(Deno.readTextFileSync(path).includes(`"left_at":${timeOf(round)}`));
    },
  },
  ...CARE_PATHS,
];

export function writePathNamed(name: string | undefined): WritePath {
  const path = WRITE_PATHS.find((path) => path.name === name);
  if (path === undefined) throw new RangeError(`Cannot find the write path ${name}`);
  return path;
}

/**
 * Trims the session as the command does, including the lineage.
 *
 * @returns Descriptions of the files that could not be copied.
 */
function trim(place: Place, round: number): readonly string[] {
  const result = trimSession({
    session: { path: place.transcript, id: SESSION },
    newId: () => idOf("c0", round),
    now: new Date(timeOf(round)),
  });
  recordTrimmedCopy(place.projectDir, result, new Date(timeOf(round)));
  return result.owned.notes;
}

function eventLog(name: string, maxBytes: number): WritePath {
  return {
    name,
    run(place, round): unknown {
      const event = { type: "round", payload: { round }, source: "test" };
      return emitEvent(event, { ...place, now: new Date(timeOf(round)), maxBytes });
    },
    assertDone(place, round): void {
      assert(readEvents(place).includes(`{"round":${round}}`));
    },
  };
}

function markName(round: number): string {
  return `2026-03-01-${String(100_000 + round)}.md`;
}

function ownerOf({ projectDir }: Place): StateOwner {
  return { projectDir, sessionId: SESSION };
}

function sessionOf(
  place: Place,
  round: number,
): Pick<RollOverOptions, "owner" | "transcript" | "configDir" | "retentionDays" | "now"> {
  const { transcript, configDir } = place;
  const now = () => timeOf(round);
  return { owner: ownerOf(place), transcript, configDir, retentionDays: 7, now };
}

function stateOf(place: Place): ReturnType<typeof readSessionState> {
  assert(sessionStatePath(ownerOf(place)) !== null);
  return readSessionState(ownerOf(place));
}

function readEvents({ projectDir }: Place): string {
  return ["events.1.jsonl", "events.jsonl"].map((name) => `${projectDir}/.claude/trimtab/${name}`)
    .filter((path) => existsSync(path)).map((path) => Deno.readTextFileSync(path)).join("");
}

function assertOwned({ configDir }: Place, id: string): void {
  for (const folder of ["tasks", "file-history"]) {
    const names = namesIn(`${configDir}/${folder}/${id}`);
    assertEquals(names.sort(), ["1", "2"]);
  }
}

function recordOf(round: number): LiveRecord {
  const time = new Date(timeOf(round)).toISOString();
  return { time, session_id: SESSION, tool: "Bash", before: 9_000, after: 900 };
}
