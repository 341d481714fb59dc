/**
 * Runs `/plan-batches` in the real client: with only the skill's own permissions, the model can plan its
 * tasks and save between the batches, without a question to the user.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listCheckpoints } from "../../src/saved/store.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome, runClientWell } from "./bed/client.ts";
import { bash, call } from "./trim_steps.ts";
import { startMock, textOf, type TurnLike } from "./bed/mock_api.ts";

/** Contains apostrophes, backquotes and dollar signs, which must survive the shell. */
const TASKS = `
[[tasks]]
id = "tidy"
description = "Refactor it's \`store\` for $HOME"
files = ["src/a.ts", "src/b.ts", "src/c.ts", "lib/d.ts", "lib/e.ts"]

[[tasks]]
description = "Update the docs"
files = ["README.md"]
depends_on = ["tidy"]
`;

Deno.test("/plan-batches lets the model plan and save without a question, but run no other command", async () => {
  using home = newHome();
  const turns: TurnLike[] = [
    [bash(`trimtab batch - --available 13000 --measure-files --skill <<'TASKS'${TASKS}TASKS`)],
    [call("Skill", { skill: "trimtab:save-checkpoint" })],
    [bash("trimtab checkpoint --skill")],
    [bash("touch unasked.txt")],
    "Done.",
  ];
  await using mock = startMock({ turns });
  const args = ["--allowedTools", "Read"];
  const prompt = "/plan-batches tidy the store";
  await runClientWell({ home, mock, pluginDir: PLUGIN, prompt, args });
  const requestTexts = mock.requests.map(textOf);
  const asked = requestTexts.find((text) =>
    text.includes("<command-args>tidy the store</command-args>")
  );
  assertStringIncludes(asked ?? "", "The user wants: tidy the");
  const last = requestTexts.at(-1) ?? "";
  assertStringIncludes(last, "2 tasks in 3 pieces in 3 batches. A batch may take 13,000 tokens.");
  assertStringIncludes(last, "Refactor it's `store` for $HOME (part 1 of 2)");
  assertStringIncludes(last, "checkpoint_1  Run /save-checkpoint to save progress");
  assertStringIncludes(last, "after tidy-1, tidy-2");
  assertStringIncludes(last, "Launching skill: trimtab:save-checkpoint");
  assertEquals(listCheckpoints({ projectDir: home.cwd }).length, 1);
  const names = [...Deno.readDirSync(home.cwd)].map(({ name }) => name);
  assert(!names.includes("unasked.txt"), "commands that the skill does not list must be forbidden");
});
