import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BUDGET_WARNING } from "../../src/plan/task.ts";
import { idOf, jsonOf, type Line, sessionOf, test } from "./place.ts";

const SCRIPT = "scripts/batch.ts";

const FILES = Array.from({ length: 10 }, (_, n) => `src/${n < 5 ? "api" : "store"}/${n}.ts`);
const TASKS = [
  { id: "docs", description: "Update the docs", files: ["README.md"], depends_on: ["tidy"] },
  { id: "tidy", description: "Refactor it", files: FILES },
  { description: "Think", estimated_files: 30 },
];

test("batch prints estimates, batches and a workflow with --json", async (place) => {
  const file = `${place.cwd}/tasks.jsonc`;
  Deno.writeTextFileSync(file, `// The tasks of today.\n${JSON.stringify(TASKS)}`);
  const before = place.files();
  const json = jsonOf(await place.run(SCRIPT, [file, "--available", "24000", "--json"]));
  const { estimates, batch_tokens, workflow, available, available_source, warnings } = json;
  assertEquals((estimates as Line[]).map(({ id, pieces }) => [id, pieces]), [
    ["docs", ["docs"]],
    ["tidy", ["tidy-1", "tidy-2"]],
    ["task-3", ["task-3"]],
  ]);
  assertEquals(batch_tokens, [20_012, 20_012, 2_003, 60_001]);
  assertEquals({ available, available_source }, { available: 24_000, available_source: "option" });
  assertEquals(warnings, [`task-3: ${BUDGET_WARNING} (about 60,001 tokens)`]);
  assertEquals(Object.keys(Object(workflow)), ["nodes", "edges"]);
  assertEquals(place.files(), before, "planning must write nothing");
});

test("batch prints a plan for people", async (place) => {
  const stdin = JSON.stringify({ tasks: TASKS });
  const stdout = await place.text(SCRIPT, ["-", "--available", "24000"], { stdin });
  const [summary, ...parts] = stdout.trimEnd().split("\n\n");
  assertEquals(summary, "3 tasks in 4 pieces in 4 batches. A batch may take 24,000 tokens.");
  assert(parts.includes("checkpoint_2  Run /save-checkpoint to save progress"));
  assertEquals(
    parts.find((part) => part.startsWith("batch_2")),
    "batch_2  2,003 tokens\n" +
      "  docs        2,003  Update the docs\n" +
      "                     README.md\n" +
      "                     after tidy-1, tidy-2",
  );
  assertStringIncludes(
    parts.at(-1) ?? "",
    "\n- task-3: Task may exceed context budget (about 60,001",
  );
});

test("batch --measure-files uses the real size of listed files, for tasks in TOML on stdin", async (place) => {
  Deno.writeTextFileSync(`${place.cwd}/large.txt`, "word ".repeat(60_000));
  const stdin = '[[tasks]]\nid = "a"\ndescription = "Look"\nfiles = ["large.txt", "new.txt"]\n';
  const args = ["-", "--available", "50000"];
  assertEquals((await place.json(SCRIPT, args, { stdin })).batch_tokens, [4_001]);
  const measured = await place.json(SCRIPT, [...args, "--measure-files"], { stdin });
  assertEquals(measured.warnings, [`a-1: ${BUDGET_WARNING} (about 75,004 tokens)`]);
  const [estimate] = Array.isArray(measured.estimates) ? measured.estimates : [];
  assertEquals([estimate.source, estimate.measured_files], ["measured", 1]);
  assertEquals([estimate.file_tokens, estimate.pieces], [77_000, ["a-1", "a-2"]]);
});

test("batch uses the session's remaining room by default", async (place) => {
  const stdin = JSON.stringify(TASKS);
  const budget = async (): Promise<unknown[]> => {
    const json = await place.json(SCRIPT, ["-"], { stdin });
    return [json.available, json.available_source];
  };
  assertEquals(await budget(), [100_000, "default"]);
  place.add(idOf(1), sessionOf([], { cwd: place.cwd }).slice(0, 1));
  assertEquals(await budget(), [166_998, "estimate"]);
  place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
  assertEquals(await budget(), [116_999, "session"]);
  const stdout = await place.text(SCRIPT, ["-"], { stdin });
  assertStringIncludes(stdout, "116,999 tokens (left in session 11111111, of 167,000).");
});

test("batch reports the problem in a task list that it cannot use", async (place) => {
  const stdin = '[{ "description": "a" }, { "files": 3 }]';
  const error = await place.error(SCRIPT, ["-"], { stdin });
  assertStringIncludes(error, "tasks[1].description: expected a string");
  const missing = await place.error(SCRIPT, ["gone.toml"]);
  assertStringIncludes(missing, 'Cannot read tasks "gone.toml"');
});
