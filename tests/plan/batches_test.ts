import { assertEquals, assertThrows } from "@std/assert";
import { batchTasksByContext, createBatchedWorkflow } from "../../src/plan/batches.ts";
import type { BatchTask } from "../../src/plan/task.ts";
import { deepFreeze } from "./any_tasks.ts";

/** Makes a task of about 2,000 tokens per file, with optional dependencies. */
function task(id: string, depends_on?: readonly string[], files: number = 1): BatchTask {
  const listed = Array.from({ length: files }, (_, n) => `${id}/${n}.ts`);
  const dependencies = depends_on === undefined ? {} : { depends_on };
  return { id, description: id, files: listed, ...dependencies };
}

function idsIn(tasks: readonly BatchTask[], budget: number): string[][] {
  return batchTasksByContext(deepFreeze(tasks), budget).map((batch) =>
    batch.map(({ id }) => id ?? "")
  );
}

Deno.test("batchTasksByContext() fills batches in the given order, but puts a task after its dependencies", () => {
  const tasks = [task("a"), task("b"), task("c", [], 2), task("d")];
  assertEquals(idsIn(tasks, 4_100), [["a", "b"], ["c"], ["d"]]);
  assertEquals(idsIn(tasks, 100_000), [["a", "b", "c", "d"]]);
  assertEquals(idsIn([], 100), []);
  const dependent = [task("b", ["a"]), task("a"), task("c", ["b"]), task("d")];
  assertEquals(idsIn(dependent, 90_000), [["a", "d"], ["b"], ["c"]]);
});

Deno.test("batchTasksByContext() derives missing ids from positions, and keeps the given ids", () => {
  const tasks = [
    { description: "one" },
    { id: "task-1", description: "two" },
    { description: "three", depends_on: ["task-1"] },
  ];
  assertEquals(idsIn(tasks, 90_000), [["task-1-2", "task-1"], ["task-3"]]);
});

Deno.test("batchTasksByContext() gives parts ids that no other task has", () => {
  assertEquals(idsIn([task("a", undefined, 2), task("a-1")], 2_100), [["a-2"], ["a-3"], ["a-1"]]);
});

Deno.test("batchTasksByContext() rejects unknown dependencies, cycles and duplicate ids, at any budget", () => {
  const cases: [BatchTask[], string][] = [
    [[task("a", ["nobody"])], '"a" depends on "nobody", which is not a task'],
    [[task("a", ["a"])], '"a" depends on "a", which is the same task'],
    [
      [task("x"), task("a", ["c"]), task("b", ["a"]), task("c", ["b", "x"])],
      "Cannot plan tasks: a cycle of dependencies blocks a, b, c",
    ],
    [[task("c", ["a"]), task("a", ["b"]), task("b", ["a"])], "blocks c, a, b"],
    [[task("p"), task("w", ["v"]), task("v", ["w"], 5)], "blocks w, v"],
    [[{ ...task("p"), subtasks: [task("s", ["gone"])] }], '"s" depends on "gone"'],
    [[task("a"), task("a")], 'duplicate id "a"'],
    [[{ ...task("p"), subtasks: [task("p")] }], 'duplicate id "p"'],
  ];
  for (const [tasks, message] of cases) {
    for (const budget of [0, 1_000, 3_000, 90_000]) {
      assertThrows(() => batchTasksByContext(deepFreeze(tasks), budget), RangeError, message);
    }
  }
});

Deno.test("batchTasksByContext() reports a task that must run between two subtasks of an unsplit task", () => {
  const parent = { ...task("p"), subtasks: [task("s"), task("t", ["x"])] };
  const tasks = [parent, task("x", ["s"])];
  assertThrows(() => batchTasksByContext(tasks, 90_000), RangeError, "blocks p, x");
});

Deno.test("batchTasksByContext() limits the number of tasks and their depth", () => {
  const many = Array.from({ length: 10_001 }, () => ({ description: "a" }));
  assertThrows(() => batchTasksByContext(many, 9), RangeError, "more than 10000");
  let deep: BatchTask = { description: "a" };
  for (let n = 0; n < 11; n++) deep = { description: "a", subtasks: [deep] };
  assertThrows(() => batchTasksByContext([deep], 9), RangeError, "10 levels deep");
});

Deno.test("createBatchedWorkflow() uses the session's remaining tokens, or 100,000 if they are unknown, and makes one path through all batches", () => {
  const tasks = Array.from({ length: 60 }, (_, n) => task(`t${n}`));
  const batchesOf = (session?: { tokens: number; window: number }): number =>
    Math.ceil(Object.keys(createBatchedWorkflow(tasks, { session }).nodes).length / 2);
  assertEquals(batchesOf(), 2);
  assertEquals(batchesOf({ tokens: 150_000, window: 200_000 }), 3);
  assertEquals(batchesOf({ tokens: 10_000, window: 200_000 }), 1);
  assertEquals(createBatchedWorkflow([]), { nodes: {}, edges: [] });
  const { edges } = createBatchedWorkflow(tasks, { availableTokens: 50_000 });
  assertEquals(edges.map(({ from, to }) => `${from} ${to}`), [
    ...["batch_0 checkpoint_0", "checkpoint_0 batch_1"],
    ...["batch_1 checkpoint_1", "checkpoint_1 batch_2"],
  ]);
});
