/**
 * Checks that hooks, module, skills and commands use the same folder as the project in the real client.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { listCheckpoints } from "../../src/saved/store.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome, runClientWell } from "./bed/client.ts";
import { newestText, startMock } from "./bed/mock_api.ts";
import { test } from "./client_tests.ts";
import { bash } from "./trim_steps.ts";

test.full("commands, skills and hooks use the session's start folder, even below a used folder that is a repository", async () => {
  using home = newHome();
  Deno.mkdirSync(`${home.cwd}/.git`);
  Deno.mkdirSync(`${home.cwd}/.claude/trimtab`, { recursive: true });
  const folder = `${home.cwd}/packages/a`;
  Deno.mkdirSync(`${folder}/src`, { recursive: true });
  await using mock = startMock({
    turns: [
      [bash("trimtab list --json")],
      [bash("cd src && trimtab checkpoint --json")],
      [bash("trimtab list --json; trimtab doctor --json")],
      "Done.",
      "Done.",
    ],
  });
  const run = { home, mock, cwd: folder, pluginDir: PLUGIN };
  const { sessionId } = await runClientWell({ ...run, prompt: "Save the work." });
  const [saved, ...others] = listCheckpoints({ projectDir: folder });
  assertEquals([saved?.trigger, others], ["manual", []]);
  const text = newestText(mock);
  assertStringIncludes(text, `"count":1`);
  assertStringIncludes(text, `"project":"${folder}"`);
  // Covers the command of a skill and the files that the hooks write.
  const args = ["--resume", sessionId];
  await runClientWell({ ...run, args, prompt: "/trimtab:resume-checkpoint" });
  const restored = newestText(mock);
  assertStringIncludes(restored, `checkpoint ${saved?.id}`);
  assertEquals(existsSync(`${folder}/.claude/trimtab/sessions.json`), true);
  assertEquals([...Deno.readDirSync(`${home.cwd}/.claude/trimtab`)], []);
  const names = [...Deno.readDirSync(`${home.cwd}/.claude`)].map(({ name }) => name);
  assertEquals(names, ["trimtab"]);
});
