import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { checkTasks } from "../../src/plan/check_tasks.ts";
import { parseTasks } from "../../src/plan/task_file.ts";

const WANTED = [{ id: "a", description: "Look", files: ["x.ts"], no_split: true }];
const JSON_TEXT = JSON.stringify(WANTED);
const TOML_TEXT = '[[tasks]]\nid = "a"\ndescription = "Look"\nfiles = ["x.ts"]\nno_split = true\n';

function messageOf(value: unknown): string {
  return assertThrows(() => checkTasks(value), TypeError).message;
}

Deno.test("parseTasks() reads JSON, JSON with comments and TOML, recognised by file name or text", () => {
  const jsonc = `// what to do\n/* all */ { "tasks": [{ "id": "a", // one\n "description": "Look",
    "files": ["x.ts"], "no_split": true, }] }`;
  for (const name of ["a.json", "-", "plan", "A.JSON", "a.jsonc"]) {
    assertEquals(parseTasks(JSON_TEXT, name), WANTED, name);
    assertEquals(parseTasks(`\ufeff${jsonc}`, name), WANTED, name);
  }
  for (const name of ["a.toml", "-", "plan"]) {
    assertEquals(parseTasks(TOML_TEXT, name), WANTED, name);
    assertEquals(parseTasks(`\n# what to do\ntitle = "x"\n${TOML_TEXT}`, name), WANTED, name);
  }
  assertEquals(parseTasks(`[\n  // none yet\n ${JSON_TEXT.slice(1)}`, "-"), WANTED);
});

Deno.test("parseTasks() names the file and the format if it cannot parse them", () => {
  assertThrows(() => parseTasks("[{]", "a.json"), SyntaxError, '"a.json": not valid JSON.');
  assertThrows(() => parseTasks("[[tasks]", "-"), SyntaxError, "tasks stdin: not valid TOML.");
  assertThrows(() => parseTasks(TOML_TEXT, "a.json"), SyntaxError, "not valid JSON.");
  assertThrows(() => parseTasks(JSON_TEXT, "a.toml"), SyntaxError, "not valid TOML.");
});

Deno.test("checkTasks() assigns ids by position, and leaves the rest unchanged", () => {
  const subtasks = [{ description: "b" }, {
    id: "x",
    description: "c",
    subtasks: [{ description: "d" }],
  }];
  assertEquals(checkTasks({ tasks: [{ description: "a", subtasks, priority: "high", n: null }] }), [
    {
      id: "task-1",
      description: "a",
      priority: "high",
      n: null,
      subtasks: [
        { id: "task-1-1", description: "b" },
        { id: "x", description: "c", subtasks: [{ id: "x-1", description: "d" }] },
      ],
    },
  ]);
});

Deno.test("checkTasks() names the index, the field and the expected value", () => {
  const ok = { description: "a" };
  const cases: [unknown, string][] = [
    [
      {},
      "the file: expected a list of tasks, at the top level or under the key tasks, has the keys (none)",
    ],
    [{ task: [] }, "has the keys task"],
    [{ tasks: "x" }, 'tasks: expected a list of tasks, is "x"'],
    ["a", 'the file: expected a list of tasks, at the top level or under the key tasks, is "a"'],
    [null, "is null"],
    [[], "tasks: expected at least one task, is []"],
    [[ok, 4], "tasks[1]: expected a task, such as { description, files }, is 4"],
    [[ok, {}], "tasks[1].description: expected a string that says what to do, is missing"],
    [
      [{ description: " " }],
      'tasks[0].description: expected a string that says what to do, is " "',
    ],
    [[{ ...ok, id: 7 }], "tasks[0].id: expected a string of 1 to 200 characters on one line, is 7"],
    [[{ ...ok, id: "" }], "tasks[0].id: expected a string of 1"],
    [[{ ...ok, id: "a\nb" }], "tasks[0].id: expected a string of 1"],
    [
      [{ ...ok, files: "a.ts" }],
      'tasks[0].files: expected a list of at most 1000 strings, is "a.ts"',
    ],
    [[{ ...ok, files: [1] }], "tasks[0].files: expected a list of at most 1000 strings, is [1]"],
    [[{ ...ok, estimated_files: 1.5 }], "tasks[0].estimated_files: expected a whole number from 0"],
    [[{ ...ok, estimated_files: "3" }], "tasks[0].estimated_files: expected a whole number from 0"],
    [[{ ...ok, depends_on: { a: 1 } }], "tasks[0].depends_on: expected a list of at most 1000"],
    [[{ ...ok, no_split: "yes" }], 'tasks[0].no_split: expected true or false, is "yes"'],
    [[{ ...ok, priority: [] }], "tasks[0].priority: expected a number or a string, is []"],
    [[{ ...ok, subtasks: ok }], "tasks[0].subtasks: expected a list of tasks, is "],
    [[{ ...ok, subtasks: [ok, { id: 1, ...ok }] }], "tasks[0].subtasks[1].id: expected a string"],
    [
      [{ ...ok, depend_on: ["a"] }],
      "tasks[0].depend_on: expected a known key; did you mean depends_on?",
    ],
    [[{ ...ok, estimatedFiles: 3 }], "did you mean estimated_files?"],
  ];
  for (const [value, message] of cases) assertStringIncludes(messageOf(value), message);
  let deep: Record<string, unknown> = ok;
  for (let n = 0; n < 11; n++) deep = { ...ok, subtasks: [deep] };
  assertStringIncludes(messageOf([deep]), "at most 10 levels");
});

Deno.test("checkTasks() reports all problems, up to a limit", () => {
  const message = messageOf(Array.from({ length: 30 }, () => ({})));
  assertStringIncludes(message, "Cannot use tasks: 30 problems\n  tasks[0].description");
  assertStringIncludes(message, "\n  and 10 more");
  assertEquals(message.split("\n").length, 22);
});

Deno.test("checkTasks() returns tasks with ids for any value, or describes the problem", () => {
  const field = fc.constantFrom("id", "description", "files", "subtasks", "depends_on", "x");
  const anyTask = fc.dictionary(field, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant("a")));
  const anyValue = fc.oneof(fc.jsonValue(), fc.array(anyTask, { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(anyValue, (value) => {
      try {
        const tasks = checkTasks(value);
        assert(tasks.length > 0 && tasks.every((task) => typeof task.id === "string"));
      } catch (error) {
        const isRefused = error instanceof TypeError || error instanceof RangeError;
        assert(isRefused && /^Cannot (?:use|plan) tasks: /.test(error.message));
      }
    }),
    { numRuns: 500, seed: 20260403 },
  );
});

Deno.test("parseTasks() reports JSON that is nested too deeply", () => {
  const deep = `[{"id":"a","files":${"[".repeat(50_000)}${"]".repeat(50_000)}}]`;
  assertThrows(() => parseTasks(deep, "t.json"), SyntaxError, "It is nested too deeply");
});

Deno.test("checkTasks() accepts values just within its limits, and none beyond", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? { description: "d" } : { description: "d", subtasks: [nested(levels - 1)] };
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `f${n}`);
  const bounds: readonly (readonly [within: unknown, beyond: unknown])[] = [
    [{ id: "x".repeat(200) }, { id: "x".repeat(201) }],
    [{ files: names(1_000) }, { files: names(1_001) }],
    [{ estimated_files: 0 }, { estimated_files: -1 }],
    [{ estimated_files: 100_000 }, { estimated_files: 100_001 }],
    [nested(10), nested(11)],
  ];
  for (const [within, beyond] of bounds) {
    assertEquals(checkTasks([{ description: "d", ...Object(within) }]).length, 1);
    messageOf([{ description: "d", ...Object(beyond) }]);
  }
});
