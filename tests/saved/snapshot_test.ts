import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Said } from "../../src/core/work_state.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import { contentOf, snapshotOf } from "../../src/saved/save.ts";
import { compactedContent } from "../../src/saved/snapshot.ts";
import { resumeInstructions } from "../../src/saved/views/rehydrated.ts";
import { checkSave } from "../../src/saved/check.ts";
import { sampleState } from "./checkpoints.ts";
import { NOW } from "./snapshots.ts";
import { cleanContent } from "../../src/designs/save_snapshot.ts";

Deno.test("snapshotOf() keeps every part of a work state", () => {
  const state = sampleState();
  const snapshot = snapshotOf(state, {
    name: "auth",
    now: NOW,
    phase: { phase_number: 16, phase_name: "Compaction" },
    task: { plan_id: "16-03", status: "incomplete" },
    originalTokens: 1000,
  });
  assertEquals(checkSave(snapshot), []);
  const { token_count, ...rest } = snapshot;
  assert(token_count > 100 && token_count < 1_000);
  assertEquals(rest, {
    schema_version: 1,
    snapshot_id: "20260301_143522",
    name: "auth",
    timestamp: "2026-03-01T14:35:22.000Z",
    session_id: state.session_id,
    original_requirements: "Implement auth\n\nwith tokens",
    later_requirements: ["Also log out"],
    key_decisions: state.decisions.map((one) => ({ ...one, alternatives: "cookies; OAuth" })),
    implementation_state: "1 of 3 steps are done.\nNext: Test it\n" +
      "The assistant last said: Tests are next.",
    open_items: ["deno test fails", "Test it", "Ship it"],
    next_steps: state.next_steps,
    tools_used: ["Edit", "Bash"],
    changes: state.changes,
    commits: state.commits,
    phase_state: { phase_number: 16, phase_name: "Compaction" },
    active_task: { plan_id: "16-03", status: "incomplete" },
    learnings: ["Port 8080 is taken"],
    progress: state.progress,
    origins: {
      requirements: state.requirements.map(({ from }) => from),
      issues: [{ kind: "command", uuid: null, line: 60 }],
      learnings: [{ uuid: null, line: 33 }],
      ...{ stopped: [], commands: [], refused: [] },
    },
    original_tokens: 1000,
    compacted_tokens: null,
    compression_ratio: null,
  });
});

Deno.test("snapshotOf() bounds and cleans a name, a phase and a task", () => {
  const snapshot = snapshotOf(emptyState(), {
    name: `${"x".repeat(500)}`,
    phase: { phase_number: 1, phase_name: "a\nb\x1b[31m" },
    task: { plan_id: "1-1\0", status: "x\ny" },
  });
  assertEquals(snapshot.name?.length, 100);
  assertEquals(snapshot.phase_state?.phase_name, "a b");
  assertEquals(snapshot.active_task, { plan_id: "1-1", status: "x y" });
});

Deno.test("contentOf() does not repeat the assistant's last message if the user replied to it", () => {
  const at = (text: string, line: number): Said => ({ text, from: { uuid: null, line } });
  const answer = "All five comments are fixed. Shall I push the branch?";
  const stopped = [at(`Assistant: ${answer}`, 1), at("User: yes", 2), at("Bash git push → ok", 3)];
  const { implementation_state: text } = contentOf({
    ...emptyState(),
    requirements: [at("yes", 2)],
    progress: { ...emptyState().progress, recent: [at(answer, 1)] },
    trail: { ...emptyTrail(), stopped },
  });
  assertEquals(text.split(answer).length, 2);
  assert(!text.includes("The assistant last said"), text);
});

Deno.test("contentOf() omits the origin of a decision if it is unknown", () => {
  const from = { uuid: null, line: null };
  const decisions = sampleState().decisions.map((one) => ({ ...one, from }));
  const { key_decisions } = contentOf({ ...emptyState(), decisions });
  assertEquals(key_decisions.map((one) => "from" in one), [false]);
});

Deno.test("cleanContent() cleans and bounds all texts, and rejects values that are not objects", () => {
  const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], "x");
  const context = {
    original_requirements: "a\0".repeat(40_000),
    learnings: Array.from({ length: 900 }, () => "x"),
    phase_state: { phase_number: 1, phase_name: "\x1b[31mred" },
    deep,
  };
  const content = cleanContent(context);
  assertEquals(content.original_requirements.length, 16_000);
  assertEquals(content.learnings.length, 500);
  assertEquals(content.phase_state, { phase_number: 1, phase_name: "red" });
  assertEquals(JSON.stringify(Object.entries(content).at(-1)?.[1]), "[[[[[[[[null]]]]]]]]");
  for (const wrong of [null, [], 1] as const) {
    // @ts-expect-error A caller in JavaScript can pass this.
    assertThrows(() => cleanContent(wrong), TypeError, "must be an object");
  }
});

Deno.test("compactedContent() caps the ratio at 1, and leaves it out for a session of unknown size", () => {
  const ratioOf = (originalTokens: number | null): number | null =>
    compactedContent(contentOf(sampleState(), { originalTokens })).compression_ratio;
  assertEquals([null, 0, 1].map(ratioOf), [null, null, 1]);
  const ratio = ratioOf(100_000);
  assert(ratio !== null && ratio > 0 && ratio < 0.1, `${ratio}`);
});

Deno.test("resumeInstructions() continues from the step in progress, else from the first open step", () => {
  const startOf = (statuses: readonly ("pending" | "in_progress" | "completed")[]): string => {
    const from = { uuid: null, line: 1 };
    const next_steps = statuses.map((status, at) => ({ step: `Step ${at}`, status, from }));
    const instructions = resumeInstructions(contentOf({ ...emptyState(), next_steps }));
    return /Continue from[^\n]*?(?:Step \d|the current state)/.exec(instructions)?.[0] ?? "";
  };
  const rest = ["pending", "completed"] as const;
  assertStringIncludes(startOf(["pending", "in_progress", ...rest]), "Step 1");
  assertStringIncludes(startOf(["completed", ...rest]), "Step 1");
  assertStringIncludes(startOf([]), "the current state");
});
