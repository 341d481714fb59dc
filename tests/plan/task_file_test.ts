import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { checkTasks, parseTasks } from "../../src/plan/task_file.ts";

const WANTED = [{ id: "a", description: "Look", files: ["x.ts"], no_split: true }];
const JSON_TEXT = JSON.stringify(WANTED);
const TOML_TEXT = '[[tasks]]\nid = "a"\ndescription = "Look"\nfiles = ["x.ts"]\nno_split = true\n';

function messageOf(value: unknown): string {
  return assertThrows(() => checkTasks(value), TypeError).message;
}

Deno.test("parseTasks() reads JSON, JSON with comments and TOML, recognized by file name or text", () => {
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

Deno.test("parseTasks() reports the file and the format if it cannot parse the text", () => {
  assertThrows(() => parseTasks("[{]", "a.json"), SyntaxError, '"a.json": not valid JSON.');
  assertThrows(() => parseTasks("[[tasks]", "-"), SyntaxError, "tasks stdin: not valid TOML.");
  assertThrows(() => parseTasks(TOML_TEXT, "a.json"), SyntaxError, "not valid JSON.");
  assertThrows(() => parseTasks(JSON_TEXT, "a.toml"), SyntaxError, "not valid TOML.");
  for (const value of ["null", "true", "-1", "7", '"a"']) {
    assertThrows(() => parseTasks(`[${value}]`, "-"), TypeError, `got ${value}`);
  }
});

Deno.test("checkTasks() assigns ids by position, and leaves the rest unchanged", () => {
  const inner = { id: "x", description: "c" };
  const task = { description: "a", priority: "high", n: null };
  const subtasks = [{ description: "b" }, { ...inner, subtasks: [{ description: "d" }] }];
  assertEquals(checkTasks({ tasks: [{ ...task, subtasks }] }), [{
    ...task,
    id: "task-1",
    subtasks: [
      { id: "task-1-1", description: "b" },
      { ...inner, subtasks: [{ id: "x-1", description: "d" }] },
    ],
  }]);
});

Deno.test("checkTasks() reports the index, the field and the expected value", () => {
  const ok = { description: "a" };
  const place = "the file: expected a list of tasks, at the top level or under the key tasks";
  const files: [unknown, string][] = [
    [{}, `${place}, got {}`],
    [{ task: [] }, "got the keys task"],
    [{ tasks: "x" }, 'tasks: expected a list of tasks, got "x"'],
    ["a", `${place}, got "a"`],
    [null, "got null"],
    [[], "tasks: expected at least one task, got []"],
    [[ok, 4], "tasks[1]: expected a task, such as { description, files }, got 4"],
    [[ok, {}], "tasks[1].description: expected a string that describes the work, got nothing"],
  ];
  const fields: [Record<string, unknown>, string][] = [
    [{ description: " " }, 'description: expected a string that describes the work, got " "'],
    [{ id: 7 }, "id: expected a string of 1 to 200 characters on one line, got 7"],
    [{ id: "" }, "id: expected a string of 1"],
    [{ id: "a\nb" }, "id: expected a string of 1"],
    [{ files: "a.ts" }, 'files: expected a list of at most 1000 strings, got "a.ts"'],
    [{ files: [1] }, "files: expected a list of at most 1000 strings, got [1]"],
    [{ estimated_files: 1.5 }, "estimated_files: expected a whole number from 0"],
    [{ estimated_files: "3" }, "estimated_files: expected a whole number from 0"],
    [{ depends_on: { a: 1 } }, "depends_on: expected a list of at most 1000"],
    [{ no_split: "yes" }, 'no_split: expected true or false, got "yes"'],
    [{ priority: [] }, "priority: expected a number or a string, got []"],
    [{ subtasks: ok }, "subtasks: expected a list of tasks, got "],
    [{ subtasks: [ok, { id: 1, ...ok }] }, "subtasks[1].id: expected a string"],
    [{ depend_on: ["a"] }, "depend_on: unknown key; did you mean depends_on?"],
    [{ estimatedFiles: 3 }, "estimatedFiles: unknown key; did you mean estimated_files?"],
  ];
  for (const [value, message] of files) assertStringIncludes(messageOf(value), message);
  for (const [field, message] of fields) {
    assertStringIncludes(messageOf([{ ...ok, ...field }]), `tasks[0].${message}`);
  }
});

Deno.test("checkTasks() reports all problems, up to a limit", () => {
  const message = messageOf(Array.from({ length: 30 }, () => ({})));
  assertStringIncludes(message, "Cannot use tasks: 30 problems\n  tasks[0].description");
  assertStringIncludes(message, "\n  and 10 more");
  assertEquals(message.split("\n").length, 22);
  const all = messageOf(Array.from({ length: 20 }, () => ({})));
  assertStringIncludes(all, "Cannot use tasks: 20 problems");
  assertEquals(all.split("\n").length, 21);
});

Deno.test("parseTasks() reports JSON that is nested too deeply", () => {
  const deep = `[{"id":"a","files":${"[".repeat(50_000)}${"]".repeat(50_000)}}]`;
  assertThrows(() => parseTasks(deep, "t.json"), SyntaxError, "It is nested too deeply");
});

Deno.test("checkTasks() accepts values just within its limits, and rejects values beyond them", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? { description: "d" } : { description: "d", subtasks: [nested(levels - 1)] };
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `f${n}`);
  const bounds: readonly (readonly [within: unknown, beyond: unknown])[] = [
    [{ id: "x".repeat(200) }, { id: "x".repeat(201) }],
    [{ files: names(1_000) }, { files: names(1_001) }],
    [{ estimated_files: 0 }, { estimated_files: -1 }],
    [{ estimated_files: 100_000 }, { estimated_files: 100_001 }],
    [{ priority: "high" }, { priority: true }],
    [{ priority: 2.5 }, { priority: null }],
  ];
  for (const [within, beyond] of bounds) {
    assertEquals(checkTasks([{ description: "d", ...Object(within) }]).length, 1);
    messageOf([{ description: "d", ...Object(beyond) }]);
  }
  assertEquals(checkTasks([nested(10)]).length, 1);
  assertThrows(() => checkTasks([nested(11)]), RangeError, "over 10 levels deep");
});
