import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type CompactedContext,
  compactedOf,
  formatCompactedContext,
  saveContextSnapshot,
} from "../../src/designs/compacted_context.ts";
import {
  generateResumeInstructions,
  injectCompactedContext,
  prepareFreshStart,
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

Deno.test("generateResumeInstructions() uses the open step if there is no phase", () => {
  for (const status of ["in_progress", "pending"] as const) {
    const done = { step: "a", status: "completed" } as const;
    const next_steps = [done, { step: "b", status }, { step: "c", status: "pending" } as const];
    assertEquals(
      generateResumeInstructions(compactedContext({ next_steps })),
      "## Resume Instructions\n\nContinue from: b\n\n" +
        "**Next action:** Start with the step above, then continue with those after it.",
    );
  }
});

Deno.test("generateResumeInstructions() returns instructions when nothing is planned", () => {
  const issues = generateResumeInstructions(compactedContext({ open_items: ["It fails"] }));
  assert(issues.includes("Continue from the current state above"));
  assert(issues.endsWith("**Next action:** Resolve the issues above."));
  const done = compactedContext({ next_steps: [{ step: "a", status: "completed" }] });
  assert(generateResumeInstructions(done).endsWith("**Next action:** Ask what to do next."));
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
  }));

Deno.test("injectCompactedContext() joins the prompt and the instructions, or says that there is no snapshot", () =>
  inFolder((projectDir) => {
    const place = { projectDir, configDir: `${projectDir}/config` };
    const nothing = "# No context snapshot available\n\nStarting fresh session.";
    assertEquals(injectCompactedContext("latest", place), nothing);
    saveContextSnapshot(compactedContext(PLANNED), { ...place, now: NOW });
    const text = injectCompactedContext(undefined, place);
    assert(text.startsWith("# Compacted Context: 20260301_143522\n\n## "));
    assertStringIncludes(text, "- The build fails");
    assertStringIncludes(text, "\n\n## Resume Instructions\n\nContinue from Phase 16");
    assertEquals(injectCompactedContext("latest", place), text, "the same bytes each time");
    assertEquals(injectCompactedContext("gone", place), nothing);
    const elsewhere = injectCompactedContext("latest", { projectDir });
    assertEquals(elsewhere, nothing, "it was saved with another configuration folder");
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
