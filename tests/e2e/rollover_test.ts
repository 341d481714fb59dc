/** Runs `/rollover` in a headless client. `readme_test.ts` runs it in a terminal, with `/clear`. */

import { assert, assertEquals } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell } from "./bed/client.ts";
import { newestText, startMock } from "./bed/mock_api.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";

const HANDOFF = "### Immediate Next Steps\n\n1. Hash the passwords with Argon2.\n";

test.full("a headless client receives a handoff only if it was left for a headless client", async (t) => {
  for (const option of ["--for-headless", ""]) {
    await t.step(option === "" ? "without --for-headless" : option, async () => {
      using home = newSmallHome();
      const command =
        `trimtab rollover --skill ${option} --summary - <<'HANDOFF'\n${HANDOFF}HANDOFF`;
      await using mock = startMock({
        turns: [
          [call("Write", { file_path: `${home.cwd}/login.ts`, content: "export const a = 1;\n" })],
          "The file is there.",
          [bash(command)],
          "Handed over.",
        ],
      });
      const base = { home, mock, pluginDir: PLUGIN };
      await using chat = await startChat(base);
      for (const prompt of ["Build a login.", "/rollover"]) await chat.say(prompt);
      await chat.end();
      await runClientWell({ ...base, prompt: "What next?" });
      assertEquals(newestText(mock).includes("## Session Continuation"), option !== "");
      assert(!newestText(mock).includes("Resuming from Checkpoint"));
    });
  }
});
