import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CONTEXT_MANAGEMENT_INSTRUCTIONS, generatePrompt } from "../../src/plan/worker_prompt.ts";
import { test, textOf } from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/prompt.ts";

test("prompt prints the Context Management section, as text and as JSON", async (place) => {
  const stdout = textOf(await place.run(SCRIPT, []));
  assertEquals(stdout, CONTEXT_MANAGEMENT_INSTRUCTIONS);
  assertEquals(await place.json(SCRIPT), { text: CONTEXT_MANAGEMENT_INSTRUCTIONS });
});

test("prompt includes the thresholds of the project", async (place) => {
  const thresholds = "warn_threshold = 41\nrecommend_threshold = 52\nurgent_threshold = 63\n";
  place.configure(`[context]\n${thresholds}`);
  const stdout = await place.text(SCRIPT);
  assertStringIncludes(stdout, "41%, 52% and 63%");
  assert(!stdout.includes("85%"));
});

test("prompt prints a worker's full prompt for a task, with guidelines from a file or stdin", async (place) => {
  const expected = generatePrompt({ taskRef: "#42", ghCli: "ghe", workerGuidelines: "Use tabs." });
  const file = `${place.cwd}/rules.md`;
  Deno.writeTextFileSync(file, "Use tabs.\n");
  const args = ["--task-ref", "#42", "--gh-cli", "ghe", "--guidelines"];
  assertEquals(await place.text(SCRIPT, [...args, file]), expected);
  const piped = await place.call(SCRIPT, [...args, "-"], { stdin: "Use tabs.\n" });
  assertEquals(textOf(piped), expected);
});
