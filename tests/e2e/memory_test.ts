/**
 * Checks checkpoints and snapshots in the real client: the save before a compaction, the request to
 * the summarizer, and the first request afterwards.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listCheckpoints, listSaves } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { readSessionState } from "../../src/store/state.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell, type TestHome } from "./bed/client.ts";
import { startChat } from "./chat.ts";
import { newestText, PROMPT_TOO_LONG, startMock, textOf, type TurnLike } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";
import { writeTrusted } from "../trusted.ts";

const TASK = "Build a login with hashed passwords.";
const CHECKPOINT = "/save-checkpoint";

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

function projectOf(home: TestHome): { projectDir: string } {
  return { projectDir: home.cwd };
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function assertRestored(text: string, id: string): void {
  assertEquals(countOf(text, "## Resuming from Checkpoint"), 1);
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
    turns: [
      ...workingTurns(home),
      { error: PROMPT_TOO_LONG },
      "Went on.",
    ],
  });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say(TASK);
  await chat.say("Go on.");
  await chat.end();
  const { sessionId } = chat;
  const args = ["--resume", sessionId];
  const [checkpoint, ...others] = listCheckpoints(projectOf(home));
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
  await t.step("after two resumes, the request contains the state once", async () => {
    await runClientWell({ home, mock, prompt: "On.", args, pluginDir: PLUGIN });
    await runClientWell({ home, mock, prompt: "And on.", args, pluginDir: PLUGIN });
    assertRestored(newestText(mock), checkpoint.id);
  });
});

test.full("a new headless session receives a saved state only if the user adds startup to restore_on", async () => {
  using home = newSmallHome();
  await using mock = startMock({ turns: workingTurns(home) });
  const run = { home, mock, pluginDir: PLUGIN };
  const { sessionId } = await runClientWell({ ...run, prompt: TASK });
  await runClientWell({ ...run, prompt: "/compact", args: ["--resume", sessionId] });
  const [checkpoint] = listCheckpoints(projectOf(home));
  assert(checkpoint !== undefined);
  await runClientWell({ ...run, prompt: "Something else." });
  assert(!newestText(mock).includes("<trimtab-data"));
  const owner = { projectDir: home.cwd, configDir: home.config };
  const config = '[context]\nrestore_on = ["compact", "clear", "startup"]\n';
  writeTrusted(`${home.cwd}/.claude/trimtab.toml`, config, owner);
  await runClientWell({ ...run, prompt: "The next hour." });
  assertRestored(newestText(mock), checkpoint.id);
});

test.full("a search of a project without a repository does not find saved files", async () => {
  using home = newSmallHome();
  Deno.writeTextFileSync(`${home.cwd}/own.txt`, "the walrus\n");
  const search = call("Grep", { pattern: "walrus", output_mode: "files_with_matches" });
  await using mock = startMock({ turns: ["Noted.", [search], "Found."] });
  const run = { home, mock, pluginDir: PLUGIN };
  const { sessionId } = await runClientWell({ ...run, prompt: "Remember the walrus." });
  const args = ["--resume", sessionId];
  await runClientWell({ ...run, args, prompt: "/compact" });
  assertEquals(listCheckpoints(projectOf(home)).length, 1);
  await runClientWell({ ...run, args, prompt: "Search." });
  assertMatch(newestText(mock), /Found 1 file\nown\.txt/);
});

test.full("/save-checkpoint gives the model a draft, and /resume-checkpoint loads the checkpoint with the model's additions", async () => {
  using home = newSmallHome();
  const command = "trimtab checkpoint --skill --add - <<'NOTES'\n## Key Decisions\n\n" +
    "- Argon2 for the hashes - because it is memory-hard\nNOTES";
  await using mock = startMock({
    turns: [
      ...workingTurns(home),
      [bash(command)],
      "Saved.",
      [bash("trimtab restore --skill")],
      "Going on.",
    ],
  });
  // The client gets no other permissions, so the skills' own must suffice.
  const allowed = ["--allowedTools", "Read"];
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  const run = { home, mock, pluginDir: PLUGIN };
  await runClientWell({ ...run, prompt: CHECKPOINT, args: ["--resume", sessionId, ...allowed] });
  const prompt = mock.of("main").slice(-2, -1).map(textOf).join();
  assertStringIncludes(prompt, "## What Changed");
  assertStringIncludes(prompt, "[login.ts:1-2]");
  const [checkpoint] = listCheckpoints(projectOf(home));
  assert(checkpoint !== undefined, newestText(mock).slice(-500));
  assertEquals([checkpoint.trigger, checkpoint.verified], ["manual", true]);
  const text = Deno.readTextFileSync(checkpoint.path);
  assertStringIncludes(text, "Argon2 for the hashes");
  assertStringIncludes(text, "SQLite");
  assertStringIncludes(newestText(mock), `Checkpoint ${checkpoint.id} saved and verified`);

  await runClientWell({ ...run, prompt: "/resume-checkpoint", args: allowed });
  const offered = mock.of("main").slice(-2, -1).map(textOf).join();
  assertStringIncludes(offered, `checkpoint ${checkpoint.id}, saved`);
  assertRestored(newestText(mock), checkpoint.id);
  assertStringIncludes(newestText(mock), "Argon2 for the hashes");
});

test.fullInTerminal("in the interactive client, /compact saves and restores a checkpoint, and /clear continues from a later snapshot", async () => {
  using home = newSmallHome();
  const full = { input_tokens: 164_000 };
  await using mock = startMock({
    summary: "4. Errors and fixes:\n   - A salt was missing\n     - Fixed in hash.ts\n\n" +
      "7. Pending Tasks:\n   - Measure the time of a login\n",
    turns: [
      ...workingTurns(home),
      "Second answer.",
      "After the compaction.",
      { blocks: [{ type: "text", text: "Full again." }], usage: full },
      "After the clear.",
      "Fresh start.",
    ],
  });
  await using terminal = await openTerminal({
    home,
    mock,
    pluginDir: PLUGIN,
    args: ["--allowedTools", "Bash Write"],
  });
  await terminal.submit(TASK);
  await terminal.see(/Hash the passwords/);
  await terminal.submit("A second prompt.");
  await terminal.see(/Second answer\./);
  await terminal.submit("/compact");
  await terminal.see(/decisions with their reasons/);
  await terminal.submit("Go on now.");
  await terminal.see(/After the compaction\./);
  const [checkpoint] = listCheckpoints(projectOf(home));
  assert(checkpoint !== undefined);
  assertStringIncludes(mock.of("summariser").map(textOf).join(), "Keep in the summary: the task");
  assertRestored(newestText(mock), checkpoint.id);

  await terminal.submit("Fill it up.");
  await terminal.see(/a snapshot of the work is saved/);
  const [snapshot, ...others] = listSaves("snapshot", projectOf(home));
  assert(snapshot !== undefined);
  assertEquals(others, []);
  await terminal.submit("/clear");
  await terminal.unsee(/Full again\./);
  await terminal.submit("What now?");
  await terminal.see(/After the clear\./);
  const cleared = newestText(mock);
  assertEquals(countOf(cleared, "## Resuming from Snapshot"), 1);
  assertStringIncludes(cleared, `<trimtab-data source="snapshot ${snapshot.id}">`);
  assertStringIncludes(cleared, TASK);
  assert(!cleared.includes("Resuming from Checkpoint"));
  assertMatch(
    cleared,
    /Before the Last Compaction\nFrom the client's summary, 2 requests ago:/,
  );
  assertEquals(cleared.match(/\n- Pending at the compaction: .*/g), [
    "\n- Pending at the compaction: Measure the time of a login",
  ]);
  assertStringIncludes(
    cleared,
    "\n- Fixed before the compaction: A salt was missing; Fixed in hash.ts\n",
  );

  await terminal.submit(`/fresh-start ${snapshot.id}`);
  await terminal.see(/Fresh start\./);
  assertStringIncludes(newestText(mock), "The snapshot to start from");
});
