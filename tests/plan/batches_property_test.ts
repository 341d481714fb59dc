import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { batchTasksByContext } from "../../src/plan/batches.ts";
import { estimateTaskTokens } from "../../src/plan/estimate.ts";
import { type BatchTask, BUDGET_WARNING } from "../../src/plan/task.ts";
import { anyTasks, deepFreeze } from "./any_tasks.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(400, 150, "lists of tasks that are planned"), seed: 20260401 };
const anyBudget = fc.oneof(fc.nat(12_000), fc.nat(120_000));

function sumOf(tasks: readonly BatchTask[]): number {
  return tasks.reduce((sum, task) => sum + estimateTaskTokens(task), 0);
}

/** Returns the names of each task's pieces, by the task's id. Recognizes pieces by their names alone. */
function piecesById(
  tasks: readonly BatchTask[],
  pieces: readonly BatchTask[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const visit = (task: BatchTask, whole: string[] | null): string[] => {
    const { id = "", subtasks = [] } = task;
    const own = whole ??
      pieces.map((piece) => piece.id ?? "").filter((name) =>
        name === id || new RegExp(`^${id.replaceAll(".", "\\.")}-\\d+$`).test(name)
      );
    const inner = subtasks.flatMap((one) => visit(one, own.length > 0 ? own : null));
    const all = own.length > 0 ? own : inner;
    found.set(id, all);
    return all;
  };
  for (const task of tasks) visit(task, null);
  return found;
}

function withSubtasks(tasks: readonly BatchTask[]): BatchTask[] {
  return tasks.flatMap((task) => [task, ...withSubtasks(task.subtasks ?? [])]);
}

Deno.test("batchTasksByContext() returns every task once, whole or in parts, in batches within the budget", () => {
  fc.assert(
    fc.property(anyTasks, anyBudget, (tasks, budget) => {
      const batches = batchTasksByContext(deepFreeze(tasks), budget);
      for (const batch of batches) {
        const isWarned = batch.some((task) => task.warning === BUDGET_WARNING);
        assertEquals(isWarned, sumOf(batch) > budget);
        // A task that is too large gets its own batch.
        assert(isWarned ? batch.length === 1 : batch.length > 0);
      }
      const pieces = batches.flat();
      const ids = pieces.map((piece) => piece.id);
      assertEquals(new Set(ids).size, ids.length);
      const byId = piecesById(tasks, pieces);
      assertEquals(new Set(tasks.flatMap((task) => byId.get(task.id ?? "") ?? [])), new Set(ids));
      for (const task of withSubtasks(tasks)) {
        const own = pieces.filter((piece) => piece.id?.startsWith(`${task.id}-`));
        if (own.length === 0) continue;
        const files = own.flatMap((piece) => piece.files ?? []);
        assertEquals([...files].sort(), [...task.files ?? []].sort());
      }
    }),
    RUNS,
  );
});

Deno.test("batchTasksByContext() puts a task's dependencies into an earlier batch", () => {
  fc.assert(
    fc.property(anyTasks, anyBudget, (tasks, budget) => {
      const batches = batchTasksByContext(deepFreeze(tasks), budget);
      const place = new Map(batches.flatMap((batch, n) => batch.map((task) => [task.id ?? "", n])));
      const byId = piecesById(tasks, batches.flat());
      for (const { id = "", depends_on = [] } of withSubtasks(tasks)) {
        const before = depends_on.flatMap((name) => byId.get(name) ?? []);
        for (const later of byId.get(id) ?? []) {
          // One unsplit task can do the work of both.
          for (const earlier of before.filter((one) => one !== later)) {
            assert((place.get(earlier) ?? 0) < (place.get(later) ?? 0), `${earlier} -> ${later}`);
          }
        }
      }
      for (const task of batches.flat()) {
        for (const id of task.depends_on ?? []) assert(place.has(id), id);
      }
    }),
    RUNS,
  );
});
