import { assertEquals, assertStringIncludes } from "@std/assert";
import { BUDGET_WARNING } from "../../src/plan/task.ts";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf, test } from "./place.ts";

const SCRIPT = "scripts/batch.ts";

const FILES = Array.from({ length: 10 }, (_, n) => `src/${n < 5 ? "api" : "store"}/${n}.ts`);
const TASKS = [
  { id: "docs", description: "Update the docs", files: ["README.md"], depends_on: ["tidy"] },
  { id: "tidy", description: "Refactor it", files: FILES },
  { description: "Think", estimated_files: 30 },
];

function write(place: Place, name: string, text: string): string {
  const path = `${place.cwd}/${name}`;
  Deno.writeTextFileSync(path, text);
  return path;
}

test("batch prints estimates, batches and a workflow with --json", async (place) => {
  const file = write(place, "tasks.json", JSON.stringify(TASKS));
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
  const checkpoint = parts.filter((part) => part.startsWith("checkpoint_"));
  assertEquals(checkpoint[2], "checkpoint_2  Run /save-checkpoint to save progress");
  const others = parts.filter((part) => !part.startsWith("checkpoint_"));
  assertEquals(others.slice(2), [
    "batch_2  2,003 tokens\n" +
    "  docs        2,003  Update the docs\n" +
    "                     README.md\n" +
    "                     after tidy-1, tidy-2",
    "batch_3  60,001 tokens\n" +
    "  task-3     60,001  Think\n" +
    "                     Task may exceed context budget",
    "Notes:\n" +
    "- tidy was split into 2 parts: as a whole, it takes about 40,004 tokens\n" +
    "- task-3: Task may exceed context budget (about 60,001 tokens)",
  ]);
});

Deno.test("batch reads TOML and JSON with comments, from a file and from stdin", async (t) => {
  using place = newPlace();
  const toml = '# plan\n[[tasks]]\nid = "a"\ndescription = "Look"\nfiles = ["a.ts"]\n';
  const jsonc = '// plan\n[{ "id": "a", "description": "Look", "files": ["a.ts"], }]\n';
  const texts = { "a.toml": toml, "a.jsonc": jsonc, plan: toml, p: jsonc };
  for (const [name, text] of Object.entries(texts)) {
    await t.step(name, async () => {
      const file = write(place, name, text);
      const fromFile = await place.json(SCRIPT, [file]);
      const fromStdin = await place.json(SCRIPT, ["-"], { stdin: text });
      assertEquals(fromFile, fromStdin);
      assertEquals(fromFile.batches, [[{ id: "a", description: "Look", files: ["a.ts"] }]]);
    });
  }
});

test("batch --measure-files uses the real size of listed files", async (place) => {
  write(place, "large.txt", "word ".repeat(60_000));
  const tasks = [{ id: "a", description: "Look", files: ["large.txt", "new.txt"] }];
  const stdin = JSON.stringify(tasks);
  const args = ["-", "--available", "50000", "--json"];
  const plain = jsonOf(await place.call(SCRIPT, args, { stdin }));
  assertEquals(plain.batch_tokens, [4_001]);
  const measured = jsonOf(await place.call(SCRIPT, [...args, "--measure-files"], { stdin }));
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

test("batch names the problem of a list that it cannot use", async (place) => {
  const cases: Record<string, string> = {
    '[{ "description": "a" }, { "files": 3 }]': "tasks[1].description: expected a string",
    '[{ "id": "a", "description": "a", "depends_on": ["b"] }]': '"a" depends on "b"',
    "[{]": "Cannot read tasks stdin: not valid JSON.",
    "": "Cannot read tasks stdin: it is empty",
  };
  for (const [stdin, message] of Object.entries(cases)) {
    assertStringIncludes(await place.error(SCRIPT, ["-"], { stdin }), message);
  }
  const missing = await place.error(SCRIPT, ["gone.json"]);
  assertStringIncludes(missing, 'Cannot read tasks "gone.json"');
});
