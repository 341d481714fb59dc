import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { collectContext } from "../../src/designs/collect_context.ts";
import {
  compactedOf,
  compactWithCoreInfo,
  formatCompactedContext,
  restoreContext,
  saveContextSnapshot,
} from "../../src/designs/compacted_context.ts";
import { readSave } from "../../src/saved/read.ts";
import { openSteps } from "../../src/saved/save.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { answer, user, writeLines } from "../gauge/transcript.ts";
import { validateSnapshot } from "../saved/snapshot_schema.ts";
import { sampleState } from "../saved/checkpoints.ts";
import { anySnapshot, NOW } from "../saved/snapshots.ts";
import { cleanContent } from "../../src/designs/save_snapshot.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(100, 30, "contexts that are compacted"), seed: 20261122 };

function plantPlan(projectDir: string): void {
  const folder = `${projectDir}/.planning/phases/16-context-compaction`;
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(`${folder}/16-03-PLAN.md`, "");
}

Deno.test("collectContext() reads the session, its tokens and the plan", () =>
  inFolder((projectDir) => {
    plantPlan(projectDir);
    const transcript = `${projectDir}/s.jsonl`;
    const message = { role: "user", content: "Fix the login" };
    writeLines(transcript, [user("a", null, { message }), answer("b", "a", 150_000)]);
    const ctx = collectContext({ projectDir, transcript });
    assertEquals(ctx.originalTokens, 150_000);
    assertEquals(ctx.state.requirements.map(({ text }) => text), ["Fix the login"]);
    assertEquals(ctx.planning.task, { plan_id: "16-03", status: "incomplete" });
    const own = collectContext({ projectDir, transcript, state: sampleState() });
    assertEquals([own.state, own.originalTokens], [sampleState(), 150_000]);
    const absolute = collectContext({ transcript, planningDir: `${projectDir}/.planning` });
    assertEquals(absolute.planning, ctx.planning);
    const missing = `${projectDir}/none.jsonl`;
    assertThrows(() => collectContext({ transcript: missing }), Deno.errors.NotFound);
  }));

Deno.test("collectContext() reports a missing session, and accepts a state without a session", () => {
  const { state, originalTokens } = collectContext({ transcript: null });
  assertEquals([state, originalTokens], [emptyState("no session was found"), null]);
  const own = collectContext({ state: sampleState(), planningDir: "/nowhere" });
  assertEquals([own.state, own.originalTokens], [sampleState(), null]);
  assertEquals(own.planning, { phase: null, task: null });
});

Deno.test("compactWithCoreInfo() returns phase, task, issues, decisions, learnings and a ratio", () =>
  inFolder((projectDir) => {
    plantPlan(projectDir);
    const options = { planningDir: `${projectDir}/.planning` };
    const ctx = { state: sampleState(), originalTokens: 100_000 };
    const compacted = compactWithCoreInfo(ctx, options);
    assertEquals(compacted.phaseState, { phaseNumber: 16, phaseName: "Context Compaction" });
    assertEquals(compacted.activeTask, { planId: "16-03", status: "incomplete" });
    assertEquals(compacted.issues, ["deno test fails"]);
    assertEquals(compacted.decisions.map(({ decision }) => decision), ["Use JWT"]);
    assertEquals(compacted.learnings, ["Port 8080 is taken"]);
    assertEquals(compacted.snapshot.next_steps.length, 3);
    assertEquals([compacted.snapshotId, compacted.originalTokens], [null, 100_000]);
    const { compactedTokens, compressionRatio } = compacted;
    assert(compactedTokens !== null && compactedTokens > 50 && compactedTokens < 500);
    assertEquals(compressionRatio, compactedTokens / 100_000);
    const short = compactWithCoreInfo({ state: sampleState(), originalTokens: 10 }, options);
    assertEquals(short.compressionRatio, 1);
    for (const originalTokens of [null, 0]) {
      const none = compactWithCoreInfo({ state: sampleState(), originalTokens }, options);
      assertEquals(none.compressionRatio, null);
    }
  }));

Deno.test("restoreContext() returns the compacted context that saveContextSnapshot() saved", () =>
  inFolder((projectDir) => {
    const place = { projectDir };
    assertEquals(restoreContext("latest", place), null);
    const state = sampleState();
    const planning = {
      phase: { phase_number: 2.1, phase_name: "Fix" },
      task: { plan_id: "2.1-01", status: "incomplete" },
    };
    const compacted = compactWithCoreInfo({ state, planning, originalTokens: 90_000 });
    const path = saveContextSnapshot(compacted, { ...place, now: NOW, name: "before lunch" });
    assertEquals(validateSnapshot(JSON.parse(Deno.readTextFileSync(path))), []);
    const snapshot = readSave(path);
    const snapshotId = "20260301_143522";
    assertEquals(restoreContext("latest", place), { ...compacted, snapshot, snapshotId });
    const { name, timestamp } = snapshot;
    assertEquals([name, timestamp], ["before lunch", "2026-03-01T14:35:22.000Z"]);
    assertEquals({ ...snapshot, ...compacted.snapshot }, snapshot);
    assertEquals(restoreContext("before lunch", place), restoreContext(undefined, place));
    assertEquals(restoreContext("20990101_000000", place), null);
    const restored = restoreContext("latest", place);
    assert(restored !== null);
    const again = saveContextSnapshot(restored, { ...place, now: NOW });
    assertEquals(readSave(again).name, "before lunch");
    const elsewhere = { snapshotDir: `${projectDir}/elsewhere` };
    assertEquals(restoreContext("latest", elsewhere), null);
    saveContextSnapshot(restored, elsewhere);
    assertEquals(restoreContext("latest", elsewhere)?.decisions, compacted.decisions);
    Deno.writeTextFileSync(path, "torn");
    assertThrows(() => restoreContext("20260301_143522", place), SyntaxError);
  }));

Deno.test("saveContextSnapshot() saves changed fields, and drops the origins of the earlier items", () =>
  inFolder((projectDir) => {
    const compacted = compactWithCoreInfo({ state: sampleState() });
    const added = {
      ...compacted,
      learnings: ["Redis listens on 6380", ...compacted.learnings],
      issues: ["The build fails", ...compacted.issues],
      decisions: [],
      activeTask: { planId: "16-03", status: "incomplete" },
    };
    const saved = readSave(saveContextSnapshot(added, { projectDir }));
    assertEquals(compactedOf(saved), { ...added, snapshot: saved, snapshotId: saved.snapshot_id });
    assertEquals(saved.next_steps, compacted.snapshot.next_steps);
    assertEquals([saved.origins, compacted.snapshot.origins?.learnings.length], [undefined, 1]);
  }));

Deno.test("compactedOf() separates issues from the open steps after them", () => {
  fc.assert(
    fc.property(anySnapshot(), (snapshot) => {
      const open_items = [...snapshot.open_items, ...openSteps(snapshot)];
      const itemsOf = compactedOf({ ...snapshot, open_items });
      assertEquals(itemsOf.issues, snapshot.open_items);
      assertEquals(itemsOf.snapshot, { ...snapshot, open_items });
    }),
    RUNS,
  );
});

Deno.test("formatCompactedContext() renders every part under its own heading", () => {
  const planning = { phase: null, task: null };
  const text = formatCompactedContext(compactWithCoreInfo({ state: sampleState(), planning }));
  assertEquals(text.match(/^#.*$/gm), [
    ...["# Compacted Context", "## Original Requirements", "## Current State", "## Key Decisions"],
    ...["## Unresolved Issues", "## Next Steps", "## Changes", "## Learnings"],
  ]);
  const steps = "## Unresolved Issues\n- deno test fails\n\n" +
    "## Next Steps\n- [ ] Test it (in progress)\n- [ ] Ship it\n\n";
  assertStringIncludes(text, steps);
  assert(text.endsWith("## Learnings\n- Port 8080 is taken"));
});

Deno.test("formatCompactedContext() stays within its limit, and keeps its headings and newest items", () => {
  const many = (word: string): string[] =>
    Array.from({ length: 60 }, (_, i) => `${word} ${i} `.repeat(9).trim());
  const compacted = compactedOf(cleanContent({
    original_requirements: "build it ".repeat(900),
    later_requirements: many("also"),
    implementation_state: "half done",
    open_items: many("issue"),
    key_decisions: many("choice")
      .map((decision) => ({ decision, rationale: "", alternatives: "" })),
    learnings: many("lesson"),
  }));
  const whole = formatCompactedContext(compacted);
  assertEquals(formatCompactedContext(compacted, { maxChars: whole.length + 20 }), whole);
  for (const maxChars of [9_000, 4_000]) {
    const text = formatCompactedContext(compacted, { maxChars });
    assert(text.length <= maxChars && text.length > maxChars * 0.7, `${text.length}`);
    assertEquals(text.match(/^## .*$/gm), whole.match(/^## .*$/gm));
    for (const first of ["build it", "half done", "- issue 0 ", "- choice 0 ", "- lesson 0 "]) {
      assert(text.includes(first), `${first} at ${maxChars}`);
    }
    assert(text.includes(" more)\n"));
  }
  // The headings alone exceed this limit.
  assert(formatCompactedContext(compacted, { maxChars: 10 }).length < 500);
});
