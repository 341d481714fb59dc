import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CONTEXT_MANAGEMENT_INSTRUCTIONS, generatePrompt } from "../../src/plan/worker_prompt.ts";
import { errorOf, jsonOf, test, textOf } from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/prompt.ts";

test("prompt prints the Context Management section, as text and as JSON", async (place) => {
  const stdout = textOf(await place.run(SCRIPT, []));
  assertEquals(stdout, CONTEXT_MANAGEMENT_INSTRUCTIONS);
  assertEquals(jsonOf(await place.call(SCRIPT, ["--json"])), {
    text: CONTEXT_MANAGEMENT_INSTRUCTIONS,
  });
});

test("prompt names the thresholds of the project", async (place) => {
  place.configure(
    "[context]\nwarn_threshold = 41\nrecommend_threshold = 52\nurgent_threshold = 63\n",
  );
  const stdout = textOf(await place.call(SCRIPT, []));
  assertStringIncludes(stdout, "41%, 52% and 63%");
  assert(!stdout.includes("85%"));
});

test("prompt prints the whole prompt for a task, with guidelines from a file or stdin", async (place) => {
  const expected = generatePrompt({ taskRef: "#42", ghCli: "ghe", workerGuidelines: "Use tabs." });
  const file = `${place.cwd}/rules.md`;
  Deno.writeTextFileSync(file, "Use tabs.\n");
  const args = ["--task-ref", "#42", "--gh-cli", "ghe", "--guidelines"];
  assertEquals(textOf(await place.call(SCRIPT, [...args, file])), expected);
  const piped = await place.call(SCRIPT, [...args, "-"], { stdin: "Use tabs.\n" });
  assertEquals(textOf(piped), expected);
});

test("prompt names a file that it cannot read", async (place) => {
  const args = ["--task-ref", "#1", "--guidelines", "gone.md"];
  const error = errorOf(await place.call(SCRIPT, args));
  assertStringIncludes(error, 'Cannot read guidelines "gone.md"');
});
