import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { planBatches } from "../../src/plan/batches.ts";
import { describeEstimate } from "../../src/plan/estimate.ts";
import { renderPlan } from "../../src/plan/plan_text.ts";
import type { BatchTask } from "../../src/plan/task.ts";

function textOf(tasks: readonly BatchTask[], budget: number): string {
  const plan = planBatches(tasks, budget);
  const estimates = tasks.map((task) => describeEstimate(task));
  return renderPlan({ plan, estimates, notes: [], budget: "so much" });
}

Deno.test("renderPlan() shortens a description in the middle, so that the part's number is readable", () => {
  const description = "Tidy\n the   " + "日本\u{1f600}".repeat(50);
  const text = textOf([{ id: "a", description, files: ["1", "2"] }], 2_100);
  const rows = text.split("\n").filter((row) => row.includes("Tidy"));
  assertEquals(rows.map((row) => row.slice(-14)), [" (part 1 of 2)", " (part 2 of 2)"]);
  for (const row of rows) {
    assertStringIncludes(row, "Tidy the 日本");
    assert(row.isWellFormed() && row.includes("… (part"));
  }
});

Deno.test("renderPlan() shows a description of 72 characters whole", () => {
  const description = "Tidy ".padEnd(72, "x");
  assert(textOf([{ description, estimated_files: 0 }], 2_100).endsWith(`  ${description}`));
  const longer = textOf([{ description: `${description}x`, estimated_files: 0 }], 2_100);
  assert(longer.endsWith(`  ${description.slice(0, -1)}…`));
});

Deno.test("renderPlan() counts files and dependencies that do not fit a row", () => {
  const files = Array.from({ length: 45 }, (_, n) => `f${n}`);
  const first = files.map((id) => ({ id, description: id, estimated_files: 0 }));
  const text = textOf([...first, { description: "All", files, depends_on: files }], 200_000);
  assertStringIncludes(text, ", f39 and 5 more\n");
  assertStringIncludes(text, "after f0, f1, ");
  assert(text.endsWith("f39 and 5 more"));
});
