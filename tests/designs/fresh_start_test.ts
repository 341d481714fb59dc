import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type CompactedContext,
  compactedOf,
  formatCompactedContext,
  generateResumeInstructions,
  injectCompactedContext,
  prepareFreshStart,
  saveContextSnapshot,
} from "../../src/designs/compacted_context.ts";
import type { SnapshotContent } from "../../src/saved/save.ts";
import { NOW } from "../saved/snapshots.ts";
import { cleanContent } from "../../src/designs/save_snapshot.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";

const PLANNED: Partial<SnapshotContent> = {
  phase_state: { phase_number: 16, phase_name: "Context Compaction" },
  active_task: { plan_id: "16-03", status: "incomplete" },
  open_items: ["The build fails", "The cache is cold"],
};

function compactedContext(content: Partial<SnapshotContent>): CompactedContext {
  return compactedOf(cleanContent(content));
}

Deno.test("generateResumeInstructions() lists the phase, the task, the issues and the next action", () => {
  assertEquals(
    generateResumeInstructions(compactedContext(PLANNED)),
    `## Resume Instructions

Continue from Phase 16 - Context Compaction
Current task: 16-03 (incomplete)

**Unresolved issues to address:**
- The build fails
- The cache is cold

**Next action:** Read the current PLAN.md and continue execution.`,
  );
});

Deno.test("generateResumeInstructions() uses the open step without a phase, else the issues or the user", () => {
  const [a, c] = [{ step: "a", status: "completed" }, { step: "c", status: "pending" }] as const;
  const step =
    ": b\n\n**Next action:** Start with the step above, then continue with those after it.";
  const cases = [
    [{ next_steps: [a, { step: "b", status: "in_progress" }, c] }, step],
    [{ next_steps: [a, { step: "b", status: "pending" }, c] }, step],
    [{ open_items: ["It fails"] }, "- It fails\n\n**Next action:** Resolve the issues above."],
    [{ next_steps: [a] }, " the current state above\n\n**Next action:** Ask what to do next."],
  ] as const;
  for (const [content, end] of cases) {
    const text = generateResumeInstructions(compactedContext(content));
    assert(text.startsWith("## Resume Instructions\n\nContinue from") && text.endsWith(end), text);
  }
});

Deno.test("prepareFreshStart() returns the prompt, context and instructions for the newest or a given snapshot", () =>
  inFolder((projectDir) => {
    const place = { projectDir };
    assertEquals(prepareFreshStart("latest", place), null);
    saveContextSnapshot(compactedContext(PLANNED), { ...place, now: NOW, name: "old" });
    const later = new Date(NOW.getTime() + 1000);
    saveContextSnapshot(compactedContext({ learnings: ["x"] }), { ...place, now: later });
    assertEquals(prepareFreshStart(undefined, place)?.compacted.learnings, ["x"]);
    const start = prepareFreshStart("20260301_143522", place);
    assert(start !== null);
    assertEquals(start.compacted.snapshotId, "20260301_143522");
    assertEquals(start.prompt, formatCompactedContext(start.compacted));
    assertEquals(start.instructions, generateResumeInstructions(start.compacted));
    assertEquals(prepareFreshStart("gone", place), null);
    const text = injectCompactedContext("20260301_143522", place);
    assertEquals(text, `${start.prompt}\n\n${start.instructions}`);
  }));

Deno.test("injectCompactedContext() uses only snapshots of the same configuration folder, or says that there is none", () =>
  inFolder((projectDir) => {
    const place = { projectDir, configDir: `${projectDir}/config` };
    const nothing = "# No context snapshot available\n\nStarting fresh session.";
    assertEquals(injectCompactedContext("latest", place), nothing);
    saveContextSnapshot(compactedContext(PLANNED), { ...place, now: NOW });
    assertStringIncludes(injectCompactedContext(undefined, place), "- The build fails");
    assertEquals(injectCompactedContext("latest", { projectDir }), nothing);
  }));

Deno.test("injectCompactedContext() stays within its limit, with the instructions at its end", () =>
  inFolder((projectDir) => {
    const open_items = Array.from({ length: 200 }, (_, i) => `issue ${i} `.repeat(10).trim());
    saveContextSnapshot(compactedContext({ ...PLANNED, open_items }), { projectDir, now: NOW });
    for (const maxChars of [9_000, 3_000]) {
      const text = injectCompactedContext("latest", { projectDir, maxChars });
      assert(text.length <= maxChars, `${text.length}`);
      assert(text.includes("**Unresolved issues to address:**\n- issue 0 "));
      assert(text.endsWith("**Next action:** Read the current PLAN.md and continue execution."));
    }
  }));
