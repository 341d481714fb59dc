/** Runs `trimtab prompt` as a process, with the permissions that the launcher gives it. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { CONTEXT_MANAGEMENT_INSTRUCTIONS, generatePrompt } from "../../src/plan/worker_prompt.ts";
import { jsonOf, newPlace } from "./place.ts";
import "../own_config.ts";
import { writeTrusted } from "../trusted.ts";

const SCRIPT = "scripts/prompt.ts";

Deno.test("prompt prints the section, as text and as JSON", async () => {
  using place = newPlace();
  const { code, stdout, stderr } = await place.run(SCRIPT, []);
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertEquals(stdout, CONTEXT_MANAGEMENT_INSTRUCTIONS);
  assertEquals(jsonOf(await place.run(SCRIPT, ["--json"])), {
    text: CONTEXT_MANAGEMENT_INSTRUCTIONS,
  });
});

Deno.test("prompt names the thresholds of the project", async () => {
  using place = newPlace();
  ensureDirSync(`${place.cwd}/.claude`);
  writeTrusted(
    `${place.cwd}/.claude/trimtab.toml`,
    "[context]\nwarn_threshold = 41\nrecommend_threshold = 52\nurgent_threshold = 63\n",
    { projectDir: place.cwd, configDir: place.config },
  );
  const { stdout } = await place.run(SCRIPT, []);
  assertStringIncludes(stdout, "41%, 52% and 63%");
  assert(!stdout.includes("85%"));
});

Deno.test("prompt prints the whole prompt for a task, with guidelines from a file or stdin", async () => {
  using place = newPlace();
  const expected = generatePrompt({ taskRef: "#42", ghCli: "ghe", workerGuidelines: "Use tabs." });
  Deno.writeTextFileSync(`${place.cwd}/rules.md`, "Use tabs.\n");
  const args = ["--task-ref", "#42", "--gh-cli", "ghe", "--guidelines"];
  assertEquals((await place.run(SCRIPT, [...args, "rules.md"])).stdout, expected);
  const piped = await place.run(SCRIPT, [...args, "-"], { stdin: "Use tabs.\n" });
  assertEquals(piped.stdout, expected);
});

Deno.test("prompt refuses invalid input, and names an unreadable file", async (t) => {
  using place = newPlace();
  const cases: [string[], number, string][] = [
    [["--gh-cli", "gh"], 2, "--gh-cli requires --task-ref"],
    [["--guidelines", "x"], 2, "--guidelines requires --task-ref"],
    [["--task-ref", "#1\n#2"], 2, "the task must be one line"],
    [["--task-ref", "#1", "--guidelines", "gone.md"], 1, 'Cannot read guidelines "gone.md"'],
  ];
  for (const [args, expected, message] of cases) {
    await t.step(args.join(" "), async () => {
      const { code, stdout, stderr } = await place.run(SCRIPT, args);
      assertEquals({ code, stdout }, { code: expected, stdout: "" });
      assertStringIncludes(stderr, message);
    });
  }
});
