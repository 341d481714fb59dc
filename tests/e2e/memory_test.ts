/**
 * Checks checkpoints and snapshots in the real client: the save before a compaction, the request to
 * the summariser, and the first request afterwards.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkpointFiles, listCheckpoints } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { listSaves } from "../../src/saved/store.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { readSessionState } from "../../src/store/state.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell, type TestHome } from "./bed/client.ts";
import { type Mock, PROMPT_TOO_LONG, startMock, textOf, type TurnLike } from "./bed/mock_api.ts";
import { hasTmux, openTerminal } from "./bed/terminal.ts";
import { call, denoDir } from "./trim_steps.ts";
import { markAsOwn } from "../../src/store/ours.ts";
import { writeTrusted } from "../trusted.ts";

const TASK = "Build a login with hashed passwords.";
const CHECKPOINT = "/save-checkpoint";
const isTmuxMissing = !hasTmux();
if (isTmuxMissing) {
  console.warn("tmux is not here: /compact and /clear are not tested in the client");
}

/** Assembled at run time, since literal secrets would trigger credential scanners. */
const SECRETS = {
  github: `ghp_${"aB3dE5gH7jK9mN1pQ3sT".repeat(2).slice(0, 36)}`,
  aws: `AKIA${"IOSFODNN7QZXCVBN"}`,
  anthropic: `sk-ant-api03-${"x7Kp2".repeat(19)}-AA`,
};

function workingTurns(home: TestHome): TurnLike[] {
  const login = `${home.cwd}/login.ts`;
  const content = "export const login = 1;\n// TODO: hash passwords\n";
  return [
    [
      { type: "text", text: "I start with the file." },
      call("Write", { file_path: login, content }),
    ],
    [call("Bash", { command: "deno test nothing_there.ts" })],
    [{
      type: "text",
      text: "Decision: use SQLite instead of Postgres because it needs no server.\n\n" +
        "Next steps:\n- Hash the passwords",
    }],
  ];
}

function place(home: TestHome): { projectDir: string } {
  return { projectDir: home.cwd };
}

function lastMain(mock: Mock): string {
  const request = mock.of("main").at(-1);
  assert(request !== undefined);
  return textOf(request);
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

Deno.test("an automatic compaction of the client is preceded by a checkpoint and followed by its state", async (t) => {
  using home = newSmallHome();
  await using mock = startMock({
    turns: [
      ...workingTurns(home),
      { error: PROMPT_TOO_LONG },
      "Went on.",
      "Again.",
      "Again.",
      "Again.",
      "Again.",
    ],
  });
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  const args = ["--resume", sessionId];
  await runClientWell({ home, mock, prompt: "Go on.", args, pluginDir: PLUGIN });
  const [checkpoint, ...others] = listCheckpoints(place(home));
  assert(checkpoint !== undefined);
  await t.step("one checkpoint is saved, verified and indexed", () => {
    assertEquals(others, []);
    assertEquals([checkpoint.trigger, checkpoint.verified], ["auto", true]);
    assertEquals(verifyCheckpoint(checkpoint.path).problems, []);
    assertEquals(readIndex(home.config).checkpoints.map(({ id }) => id), [checkpoint.id]);
    const owner = { projectDir: home.cwd, sessionId };
    assertEquals(readSessionState(owner).last_checkpoint?.id, checkpoint.id);
  });
  await t.step("the summariser's request asks to keep the facts", () => {
    const [summariser, ...more] = mock.of("summariser");
    assert(summariser !== undefined && more.length === 0);
    const text = textOf(summariser);
    const requestEnd = text.slice(text.lastIndexOf("Keep these facts"));
    for (const fact of [TASK, "SQLite", "Hash the passwords", "login.ts"]) {
      assertStringIncludes(requestEnd, fact);
    }
  });
  await t.step("the first request afterwards contains the state", () => {
    assertRestored(lastMain(mock), checkpoint.id);
  });
  await t.step("after four resumes the state is there once", async () => {
    for (let run = 0; run < 4; run++) {
      await runClientWell({ home, mock, prompt: `On ${run}.`, args, pluginDir: PLUGIN });
    }
    assertRestored(lastMain(mock), checkpoint.id);
  });
  assertEquals(mock.violations, []);
});

Deno.test("a headless client gets no state of other sessions unless the user adds its source", async () => {
  using home = newSmallHome();
  await using mock = startMock({
    turns: [...workingTurns(home), { error: PROMPT_TOO_LONG }, "Went on."],
  });
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  const args = ["--resume", sessionId];
  await runClientWell({ home, mock, prompt: "Go on.", args, pluginDir: PLUGIN });
  const [checkpoint] = listCheckpoints(place(home));
  assert(checkpoint !== undefined);
  await runClientWell({ home, mock, prompt: "Something else.", pluginDir: PLUGIN });
  assert(!lastMain(mock).includes("<trimtab-data"));

  writeTrusted(
    `${home.cwd}/.claude/trimtab.toml`,
    '[context]\nrestore_on = ["compact", "clear", "startup"]\n',
    { projectDir: home.cwd, configDir: home.config },
  );
  const saved = (hoursAgo: number): void => {
    const created = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    const { json } = checkpointFiles(checkpoint.path);
    const changed = JSON.stringify({
      ...JSON.parse(Deno.readTextFileSync(json)),
      timestamp: created,
    });
    Deno.writeTextFileSync(json, changed);
    const own = { projectDir: home.cwd, configDir: home.config };
    markAsOwn(own, `${checkpoint.id}.json`, changed);
  };
  saved(1);
  await runClientWell({ home, mock, prompt: "The next hour.", pluginDir: PLUGIN });
  assertRestored(lastMain(mock), checkpoint.id);
  saved(25);
  await runClientWell({ home, mock, prompt: "The next day.", pluginDir: PLUGIN });
  assert(!lastMain(mock).includes("Resuming from Checkpoint"));
  assertEquals(mock.violations, []);
});

Deno.test("a checkpoint of a session full of credentials contains none of them", async () => {
  using home = newSmallHome();
  const { github, aws, anthropic } = SECRETS;
  const input = { file_path: `${home.cwd}/.env`, content: `GITHUB_TOKEN=${github}\n` };
  await using mock = startMock({
    turns: [
      [call("Write", input)],
      [call("Bash", { command: `curl -H 'x-api-key: ${anthropic}' http://127.0.0.1:9` })],
      [call("Bash", { command: `git commit -m 'Use ${aws}' ; false` })],
      `Decision: use ${aws} instead of ${github} because the old one leaked.\n\nNext: revoke ${github}.`,
      { error: PROMPT_TOO_LONG },
      "Went on.",
    ],
  });
  const prompt = `Deploy with ${github} and ${anthropic}.`;
  const { sessionId } = await runClientWell({ home, mock, prompt, pluginDir: PLUGIN });
  const args = ["--resume", sessionId];
  await runClientWell({ home, mock, prompt: "Go on.", args, pluginDir: PLUGIN });
  const [checkpoint] = listCheckpoints(place(home));
  assert(checkpoint !== undefined);
  const kept = [checkpoint.path, `${home.config}/trimtab/checkpoints/index.json`]
    .map((path) => Deno.readTextFileSync(path)).join("\n");
  for (const [kind, secret] of Object.entries(SECRETS)) assert(!kept.includes(secret), kind);
  assertStringIncludes(kept, "[redacted: ");
  assertStringIncludes(kept, "Deploy with [redacted: ");
});

Deno.test("the client's window at 80% makes one snapshot, and the log says so", async () => {
  using home = newSmallHome();
  const full = { input_tokens: 160_000 };
  await using mock = startMock({
    turns: [...workingTurns(home).slice(0, 2), {
      blocks: [{ type: "text", text: "Done." }],
      usage: full,
    }, {
      blocks: [{ type: "text", text: "More." }],
      usage: { input_tokens: 170_000 },
    }],
  });
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  const args = ["--resume", sessionId];
  await runClientWell({ home, mock, prompt: "Go on.", args, pluginDir: PLUGIN });
  const [snapshot, ...others] = listSaves("snapshot", place(home));
  assertEquals(others, []);
  assertEquals([snapshot?.sessionId, snapshot?.problem], [sessionId, null]);
  const events = Deno.readTextFileSync(`${home.cwd}/.claude/trimtab/events.jsonl`);
  assertEquals(JSON.parse(events).payload.snapshotPath, snapshot?.path);
  assertEquals(mock.violations, []);
});

Deno.test("a search of a project without a repository does not find saved files", async () => {
  using home = newSmallHome();
  Deno.writeTextFileSync(`${home.cwd}/own.txt`, "the walrus\n");
  const search = call("Grep", { pattern: "walrus", output_mode: "files_with_matches" });
  await using mock = startMock({ turns: ["Noted.", [search], "Found."] });
  const run = { home, mock, pluginDir: PLUGIN };
  const { sessionId } = await runClientWell({ ...run, prompt: "Remember the walrus." });
  const args = ["--resume", sessionId];
  await runClientWell({ ...run, args, prompt: "/compact" });
  assertEquals(listCheckpoints(place(home)).length, 1);
  await runClientWell({ ...run, args, prompt: "Search." });
  assertMatch(lastMain(mock), /Found 1 file\nown\.txt/);
});

Deno.test("/save-checkpoint gives the model a draft, and saves it with what the model adds", async () => {
  using home = newSmallHome();
  const command = "trimtab checkpoint --skill --add - <<'NOTES'\n## Key Decisions\n\n" +
    "- Argon2 for the hashes - because it is memory-hard\nNOTES";
  await using mock = startMock({
    turns: [...workingTurns(home), [call("Bash", { command })], "Saved."],
  });
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  // The client gets no other permissions, so the skill's own must suffice.
  const args = ["--resume", sessionId, "--allowedTools", "Read"];
  const env = { DENO_DIR: await denoDir() };
  await runClientWell({ home, mock, prompt: CHECKPOINT, args, env, pluginDir: PLUGIN });
  const asked = mock.of("main").slice(-2, -1).map(textOf).join();
  assertStringIncludes(asked, "## What Changed");
  assertStringIncludes(asked, "[login.ts:1-2]");
  const [checkpoint] = listCheckpoints(place(home));
  assert(checkpoint !== undefined, lastMain(mock).slice(-500));
  assertEquals([checkpoint.trigger, checkpoint.verified], ["manual", true]);
  const text = Deno.readTextFileSync(checkpoint.path);
  assertStringIncludes(text, "Argon2 for the hashes");
  assertStringIncludes(text, "SQLite");
  assertStringIncludes(lastMain(mock), `Checkpoint ${checkpoint.id} saved and verified`);
  assertEquals(mock.violations, []);
});

Deno.test("/resume-checkpoint names the newest, and lets the model load it", async () => {
  using home = newSmallHome();
  const command = "trimtab checkpoint --skill";
  const env = { DENO_DIR: await denoDir() };
  await using mock = startMock({
    turns: [
      ...workingTurns(home),
      [call("Bash", { command })],
      "Saved.",
      [call("Bash", { command: "trimtab restore --skill" })],
      "Going on.",
    ],
  });
  const { sessionId } = await runClientWell({ home, mock, prompt: TASK, pluginDir: PLUGIN });
  await runClientWell({
    home,
    mock,
    prompt: CHECKPOINT,
    args: ["--resume", sessionId],
    env,
    pluginDir: PLUGIN,
  });
  const [checkpoint] = listCheckpoints(place(home));
  assert(checkpoint !== undefined);
  const args = ["--allowedTools", "Read"];
  await runClientWell({ home, mock, prompt: "/resume-checkpoint", args, env, pluginDir: PLUGIN });
  const asked = mock.of("main").slice(-2, -1).map(textOf).join();
  assertStringIncludes(asked, `checkpoint ${checkpoint.id}, saved`);
  assertRestored(lastMain(mock), checkpoint.id);
  assertEquals(mock.violations, []);
});

Deno.test({
  name:
    "/compact in the interactive client saves and restores, and /clear continues from the snapshot",
  ignore: isTmuxMissing,
  async fn(): Promise<void> {
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
    const [checkpoint] = listCheckpoints(place(home));
    assert(checkpoint !== undefined);
    assertStringIncludes(mock.of("summariser").map(textOf).join(), "Keep in the summary: the task");
    assertRestored(lastMain(mock), checkpoint.id);

    await terminal.submit("Fill it up.");
    await terminal.see(/a snapshot of the work is saved/);
    const [snapshot, ...others] = listSaves("snapshot", place(home));
    assert(snapshot !== undefined);
    assertEquals(others, []);
    await terminal.submit("/clear");
    await terminal.unsee(/Full again\./);
    await terminal.submit("What now?");
    await terminal.see(/After the clear\./);
    const cleared = lastMain(mock);
    assertEquals(countOf(cleared, "## Resuming from Snapshot"), 1);
    assertStringIncludes(cleared, `<trimtab-data source="snapshot ${snapshot.id}">`);
    assertStringIncludes(cleared, TASK);
    assert(!cleared.includes("Resuming from Checkpoint"));
    assertMatch(
      cleared,
      /Before the Last Compaction\nAs the client's summary had it, 2 requests ago:/,
    );
    assertStringIncludes(cleared, "\n- Pending then: Measure the time of a login\n");
    assertStringIncludes(cleared, "\n- Error: A salt was missing; Fixed in hash.ts\n");

    await terminal.submit(`/fresh-start ${snapshot.id}`);
    await terminal.see(/Fresh start\./);
    assertStringIncludes(lastMain(mock), "The snapshot to start from");
    assertEquals(mock.violations, []);
  },
});
