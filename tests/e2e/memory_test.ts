/**
 * Checks checkpoints and handoffs in the real client: the save before a compaction, the request to the
 * summarizer, and the first request afterwards.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listCheckpoints } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { readSessionState } from "../../src/store/state.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell, type TestHome } from "./bed/client.ts";
import { startChat } from "./chat.ts";
import { newestText, PROMPT_TOO_LONG, startMock, textOf, type TurnLike } from "./bed/mock_api.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";

const TASK = "Build a login with hashed passwords.";

function workingTurns(home: TestHome): TurnLike[] {
  const login = `${home.cwd}/login.ts`;
  const content = "export const login = 1;\n// TODO: hash passwords\n";
  return [
    [
      { type: "text", text: "I start with the file." },
      call("Write", { file_path: login, content }),
    ],
    [bash("deno test nothing_there.ts")],
    [{
      type: "text",
      text: "Decision: use SQLite instead of Postgres because it needs no server.\n\n" +
        "Next steps:\n- Hash the passwords",
    }],
  ];
}

function assertRestored(text: string, id: string): void {
  assertEquals(text.split("## Resuming from Checkpoint").length, 2, "the state is sent once");
  assertStringIncludes(text, `<trimtab-data source="checkpoint ${id}">`);
  const from = text.slice(text.indexOf("## Resuming from Checkpoint"));
  for (const fact of [TASK, "login.ts: export const login", "SQLite", "Hash the passwords"]) {
    assertStringIncludes(from, fact);
  }
  assertMatch(from, /deno test nothing_there\.ts → failed/);
  assertMatch(from, /## Where It Stopped/);
}

Deno.test("a checkpoint is saved before the client's automatic compaction, and its state is restored afterwards", async (t) => {
  using home = newSmallHome();
  await using mock = startMock({
    turns: [...workingTurns(home), { error: PROMPT_TOO_LONG }, "Went on."],
  });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say(TASK);
  await chat.say("Go on.");
  await chat.end();
  const { sessionId } = chat;
  const [checkpoint, ...others] = listCheckpoints({ projectDir: home.cwd });
  assert(checkpoint !== undefined);
  await t.step("one checkpoint is saved, verified and indexed", () => {
    assertEquals(others, []);
    assertEquals([checkpoint.trigger, checkpoint.verified], ["auto", true]);
    assertEquals(verifyCheckpoint(checkpoint.path).problems, []);
    assertEquals(readIndex(home.config).checkpoints.map(({ id }) => id), [checkpoint.id]);
    const owner = { projectDir: home.cwd, sessionId };
    assertEquals(readSessionState(owner).last_checkpoint?.id, checkpoint.id);
  });
  await t.step("the summarizer's request asks to keep the facts", () => {
    const [summariser, ...more] = mock.of("summariser");
    assert(summariser !== undefined && more.length === 0);
    const text = textOf(summariser);
    const requestEnd = text.slice(text.lastIndexOf("Keep these facts"));
    for (const fact of [TASK, "SQLite", "Hash the passwords", "login.ts"]) {
      assertStringIncludes(requestEnd, fact);
    }
  });
  await t.step("the first request afterwards contains the state", () => {
    assertRestored(newestText(mock), checkpoint.id);
  });
  await t.step("after a resume, the request contains the state once", async () => {
    const args = ["--resume", sessionId];
    await runClientWell({ home, mock, prompt: "On.", args, pluginDir: PLUGIN });
    assertRestored(newestText(mock), checkpoint.id);
  });
});

test.full("a search of a project without a repository does not find saved files, and /resume-checkpoint loads one", async () => {
  using home = newSmallHome();
  Deno.writeTextFileSync(`${home.cwd}/own.txt`, "the walrus\n");
  const search = call("Grep", { pattern: "walrus", output_mode: "files_with_matches" });
  const turns = ["Noted.", [search], "Found.", [bash("trimtab restore --skill")], "Going on."];
  await using mock = startMock({ turns });
  const run = { home, mock, pluginDir: PLUGIN };
  const { sessionId } = await runClientWell({ ...run, prompt: "Remember the walrus." });
  const args = ["--resume", sessionId];
  await runClientWell({ ...run, args, prompt: "/compact" });
  assertEquals(listCheckpoints({ projectDir: home.cwd }).length, 1);
  await runClientWell({ ...run, args, prompt: "Search." });
  assertMatch(newestText(mock), /Found 1 file\nown\.txt/);
  // The client grants no other permission, so the skill's own permissions must suffice.
  await runClientWell({ ...run, args: ["--allowedTools", "Read"], prompt: "/resume-checkpoint" });
  const offered = mock.of("main").slice(-2, -1).map(textOf).join();
  const [{ id } = { id: "" }] = listCheckpoints({ projectDir: home.cwd });
  assertStringIncludes(offered, `checkpoint ${id}, saved`);
  assertStringIncludes(newestText(mock), `<trimtab-data source="checkpoint ${id}">`);
  assertStringIncludes(newestText(mock), "Remember the walrus.");
});
