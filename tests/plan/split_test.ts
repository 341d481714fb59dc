import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { estimateTaskTokens } from "../../src/plan/estimate.ts";
import { splitByFileGroups, splitTaskForContext } from "../../src/plan/split.ts";
import { type BatchTask, BUDGET_WARNING } from "../../src/plan/task.ts";
import { createBatchedWorkflow } from "../../src/plan/batches.ts";
import { newFolder } from "../folder.ts";
import { deepFreeze } from "./any_tasks.ts";

function namesOf(tasks: readonly BatchTask[]): (string | undefined)[] {
  return tasks.map((task) => task.id);
}

function filesOf(tasks: readonly BatchTask[]): (readonly string[] | undefined)[] {
  return tasks.map((task) => task.files);
}

Deno.test("createBatchedWorkflow() splits a refactoring of ten files, with checkpoints between", () => {
  const files = Array.from({ length: 10 }, (_, n) => `src/${n < 5 ? "api" : "store"}/file${n}.ts`);
  const description = "Refactor storage to be asynchronous";
  const task = deepFreeze({ id: "tidy", description, files });
  assertEquals(estimateTaskTokens(task), 40_016);
  const part = (n: number, ...range: [number, number]): BatchTask => ({
    id: `tidy-${n}`,
    description: `${description} (part ${n} of 2)`,
    files: files.slice(...range),
  });
  assertEquals(createBatchedWorkflow([task], { availableTokens: 25_000 }), {
    nodes: {
      batch_0: { type: "parallel", tasks: [part(1, 0, 5)] },
      checkpoint_0: { type: "single", prompt: "Run /checkpoint to save progress" },
      batch_1: { type: "parallel", tasks: [part(2, 5, 10)] },
    },
    edges: [{ from: "batch_0", to: "checkpoint_0" }, { from: "checkpoint_0", to: "batch_1" }],
  });
});

Deno.test("splitTaskForContext() uses a task's own subtasks, and splits them again", () => {
  const files = ["a/1.ts", "a/2.ts", "b/1.ts"];
  const task = deepFreeze({
    id: "big",
    description: "Implement it all",
    estimated_files: 50,
    files: ["never/used.ts"],
    subtasks: [
      { description: "A small one", files: ["x.ts"] },
      { id: "mid", description: "Look", files },
      { description: "Deep", estimated_files: 9, subtasks: [{ id: "deep", description: "Go" }] },
      { description: "Think", estimated_files: 9 },
    ],
  });
  const pieces = splitTaskForContext(task, 6_000);
  assertEquals(namesOf(pieces), [undefined, "mid-1", "mid-2", "deep", undefined]);
  assertStrictEquals(pieces[0], task.subtasks[0]);
  assertEquals(filesOf(pieces).slice(1, 3), [["a/1.ts", "a/2.ts"], ["b/1.ts"]]);
  assertEquals(pieces[4], { description: "Think", estimated_files: 9, warning: BUDGET_WARNING });
});

Deno.test("splitTaskForContext() copies dependencies to subtasks and parts, and other fields to parts", () => {
  const subtasks = [{ id: "s", description: "Go", files: ["a"], depends_on: ["y", "x"] }];
  const task = deepFreeze({ id: "t", description: "All", depends_on: ["x"], subtasks });
  assertEquals(splitTaskForContext(task, 2_000).map((one) => one.depends_on), [["x", "y"]]);
  const wide = { id: "w", description: "All", depends_on: ["x"], files: ["a", "b"], priority: 1 };
  for (const part of splitTaskForContext(deepFreeze(wide), 3_000)) {
    assertEquals([part.depends_on, part.priority, part.warning], [["x"], 1, undefined]);
  }
});

Deno.test("splitTaskForContext() adds only a warning to a task that cannot be split", () => {
  const cases: BatchTask[] = [
    { description: "Think", estimated_files: 9 },
    { description: "Think", files: ["one.ts"], estimated_files: 9 },
    { description: "Think", files: ["a", "b", "c", "d"], no_split: true },
    { description: "Think", subtasks: [{ description: "a" }], estimated_files: 9, no_split: true },
    { description: "Think", subtasks: [], estimated_files: 9 },
    { description: "long ".repeat(8_000), files: ["a", "b"] },
  ];
  for (const task of cases) {
    const expected = [{ ...task, warning: BUDGET_WARNING }];
    assertEquals(splitTaskForContext(deepFreeze(task), 5_000), expected);
  }
});

Deno.test("splitTaskForContext() throws on an invalid budget", () => {
  for (const budget of [-1, NaN, -Infinity]) {
    assertThrows(() => splitTaskForContext({ description: "a" }, budget), RangeError, "0 or more");
  }
  assertEquals(splitTaskForContext({ description: "Go" }, 0)[0]?.warning, BUDGET_WARNING);
  assertEquals(splitTaskForContext({ description: "Go" }, Infinity), [{ description: "Go" }]);
});

Deno.test("splitByFileGroups() keeps a folder's files together if they fit", () => {
  const files = ["src/a.ts", "lib/c.ts", "./src/b.ts", "top.ts", "lib\\w.ts", "lib/d.ts"];
  const parts = splitByFileGroups(deepFreeze({ id: "t", description: "Go" }), files, 4_100);
  assertEquals(filesOf(parts), [
    ["src/a.ts", "./src/b.ts"],
    ["lib/c.ts", "lib\\w.ts"],
    ["lib/d.ts", "top.ts"],
  ]);
  assertEquals(parts[2]?.description, "Go (part 3 of 3)");
  const subtasks = [{ description: "Look" }];
  const divided = splitByFileGroups({ id: "t", description: "Go", subtasks }, files, 4_100);
  assertEquals(divided, parts, "no part repeats the subtasks");
});

Deno.test("splitByFileGroups() divides estimated_files among the parts", () => {
  const files = Array.from({ length: 10 }, (_, n) => `f${n}.ts`);
  const more = { id: "t", description: "Go", estimated_files: 20 };
  const parts = splitByFileGroups(more, files, 20_100);
  assertEquals(parts.map((part) => [part.files?.length, part.estimated_files]), [[5, 10], [5, 10]]);
  assert(parts.every((part) => estimateTaskTokens(part) <= 20_100));
  const fewer = splitByFileGroups({ ...more, estimated_files: 5 }, files, 5_000);
  assertEquals(fewer.map((part) => part.estimated_files), [2, 2, 1]);
});

Deno.test("splitByFileGroups() warns only about a single file that does not fit", () => {
  using temporary = newFolder();
  const projectDir = temporary.path;
  Deno.writeFileSync(`${projectDir}/large.bin`, new Uint8Array(400_000));
  const files = ["a.ts", "large.bin", "b.ts"];
  const options = { measureFiles: true, projectDir };
  const parts = splitByFileGroups({ id: "t", description: "Go" }, files, 50_000, options);
  assertEquals(parts.map((part) => [part.files, part.warning]), [
    [["a.ts"], undefined],
    [["large.bin"], BUDGET_WARNING],
    [["b.ts"], undefined],
  ]);
  const whole = splitByFileGroups({ id: "t", description: "Go" }, files, 50_000);
  assertEquals(namesOf(whole), ["t"], "all three files fit according to the formula");
});

Deno.test("splitByFileGroups() skips ids that are taken, and gives ids to the parts of a task without an id", () => {
  const takenIds = new Set(["t-1", "t-3"]);
  const task = { id: "t", description: "Go" };
  const parts = splitByFileGroups(task, ["a", "b", "c"], 2_010, { takenIds });
  assertEquals(namesOf(parts), ["t-2", "t-4", "t-5"]);
  const nameless = splitByFileGroups({ description: "Go" }, ["a", "b"], 2_010);
  assertEquals(namesOf(nameless), ["task-1", "task-2"]);
});
