import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AutoCompactionManager,
  createAutoCompactionManager,
  triggerAutoCompaction,
} from "../../src/designs/auto_compaction.ts";
import { EVENTS_FILE } from "../../src/events/log.ts";
import { readSave } from "../../src/saved/read.ts";
import { saveFolder } from "../../src/saved/store.ts";
import { answer, user, writeLines } from "../gauge/transcript.ts";
import { sampleState } from "../saved/checkpoints.ts";
import { NOW } from "../saved/snapshots.ts";
import "../own_config.ts";
import { inFolder, namesIn } from "../folder.ts";

function now(): Date {
  return NOW;
}

Deno.test("AutoCompactionManager.shouldTrigger() is true at or above the threshold until a save, and again after reset()", () =>
  inFolder(async (projectDir) => {
    const manager = createAutoCompactionManager({ projectDir, state: sampleState() });
    const answers = [0.79, 0.8, 1.5, NaN].map((ratio) => manager.shouldTrigger(ratio));
    assertEquals(answers, [false, true, true, false]);
    assertEquals([0.5, 0.9].map((ratio) => manager.shouldTrigger(ratio, 0.6)), [false, true]);
    await manager.trigger();
    assertEquals(manager.shouldTrigger(0.99), false);
    manager.reset();
    assertEquals([manager.shouldTrigger(0.99), manager.getSnapshotPath()], [true, null]);
    await manager.trigger();
  }));

Deno.test("AutoCompactionManager.trigger() saves a snapshot and logs it", () =>
  inFolder(async (projectDir) => {
    const transcript = `${projectDir}/s.jsonl`;
    const message = { role: "user", content: "Fix the login" };
    writeLines(transcript, [user("a", null, { message }), answer("b", "a", 160_000)]);
    const manager = createAutoCompactionManager({ projectDir, transcript, now });
    const path = await manager.trigger("16-03");
    assertEquals(path, `${saveFolder("snapshot", { projectDir })}/20260301_143522.json`);
    assertEquals(manager.getSnapshotPath(), path);
    const snapshot = readSave(path);
    assertEquals(snapshot.original_requirements, "Fix the login");
    assertEquals(snapshot.active_task, { plan_id: "16-03", status: "unknown" });
    assertEquals(snapshot.original_tokens, 160_000);
    assert((snapshot.compression_ratio ?? 1) < 0.01);
    const { compression_ratio: compressionRatio, compacted_tokens: compactedTokens } = snapshot;
    assertEquals(JSON.parse(Deno.readTextFileSync(`${projectDir}/${EVENTS_FILE}`)), {
      ...{ type: "auto_compaction_complete", source: "auto-compaction-manager" },
      timestamp: NOW.toISOString(),
      payload: { snapshotPath: path, compressionRatio, originalTokens: 160_000, compactedTokens },
    });
  }));

Deno.test("AutoCompactionManager.trigger() throws on the second call, even if both calls start at once", () =>
  inFolder(async (projectDir) => {
    const options = { projectDir, state: sampleState() };
    const manager = new AutoCompactionManager(".planning", "snapshots", options);
    const [first, second] = await Promise.allSettled([manager.trigger(), manager.trigger()]);
    assertEquals([first.status, second.status], ["fulfilled", "rejected"]);
    const message = "Auto-compaction already triggered this session";
    await assertRejects(() => manager.trigger(), Error, message);
    assertEquals(namesIn(`${projectDir}/snapshots`).length, 4);
  }));

Deno.test("AutoCompactionManager.trigger() does not count a failed attempt", () =>
  inFolder(async (projectDir) => {
    const log = `${projectDir}/.claude/trimtab/events.jsonl`;
    Deno.mkdirSync(log, { recursive: true });
    const manager = createAutoCompactionManager({ projectDir, state: sampleState() });
    await assertRejects(() => manager.trigger(), TypeError, "not a regular file");
    assertEquals([manager.shouldTrigger(0.9), manager.getSnapshotPath()], [true, null]);
    Deno.removeSync(log);
    const path = await manager.trigger();
    assertEquals(JSON.parse(Deno.readTextFileSync(log)).payload.snapshotPath, path);
    const missing = `${projectDir}/none.jsonl`;
    const other = createAutoCompactionManager({ projectDir, transcript: missing });
    await assertRejects(() => other.trigger(), Deno.errors.NotFound);
    assertEquals(other.shouldTrigger(0.9), true);
  }));

Deno.test("triggerAutoCompaction() saves at once, even without a session, and notes the missing session in the snapshot", () =>
  inFolder(async (projectDir) => {
    const path = await triggerAutoCompaction(undefined, { projectDir, transcript: null, now });
    const snapshot = readSave(path);
    assertEquals(snapshot.implementation_state, "Not the whole session: no session was found");
    assertEquals([snapshot.original_tokens, snapshot.compression_ratio], [null, null]);
  }));
