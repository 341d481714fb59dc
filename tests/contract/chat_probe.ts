/**
 * Observes a headless client that receives one prompt after another: a plugin's skills, the hook that runs
 * when a prompt calls one, `/clear`, and the name of the sessions folder if the project's path is long.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { newHome } from "../e2e/bed/client.ts";
import { startMock, textOf } from "../e2e/bed/mock_api.ts";
import { isNewerClient } from "../e2e/bed/version.ts";
import { startChat } from "../e2e/chat.ts";
import { makePlugin, type ProbePlugin } from "./plugin.ts";
import type { Recorder } from "./recorder.ts";

const EVENTS = ["SessionStart", "SessionEnd", "UserPromptExpansion", "UserPromptSubmit"];

/** For a path of this length, the client shortens the name of the sessions folder. */
const LONG_PATH_CHARS = 260;

const BODIES = {
  plain: "Plain words.",
  command: "The line says:\n!`env | grep -E '^(CLAUDE|PATH)'`",
  expands: "!`echo $(echo expanded)`",
  fails: "Before it.\n!`false`",
  // The client has a built-in command with this name.
  checkpoint: "From the plugin, not from the client.",
  blocked: "Never sent.",
};

const SKILLS = Object.fromEntries(
  Object.entries(BODIES).map(([name, body]) => {
    // A skill can be called without the plugin's name only if its front matter has a `name`.
    const head =
      `name: ${name}\ndescription: Only for a test\nallowed-tools: Bash(env *), Bash(echo *), Bash(false)`;
    return [name, `---\n${head}\n---\n\n${body}\n`];
  }),
);

export async function probeChat(facts: Recorder): Promise<void> {
  using base = newHome();
  const cwd = longPath(base.cwd);
  const home = { ...base, cwd };
  const plugin = makePlugin(`${home.home}/plugin`, EVENTS, SKILLS);
  await using mock = startMock();
  await using chat = await startChat({
    home,
    mock,
    pluginDir: plugin.path,
    // The skill itself must allow all other tools.
    args: ["--allowedTools", "Read"],
  });
  async function say(prompt: string): Promise<{ reply: string; sent: string; requests: number }> {
    const before = mock.requests.length;
    const reply = await chat.say(prompt);
    const sent = mock.requests.slice(before);
    return { reply, sent: sent.map(textOf).join("\n"), requests: sent.length };
  }
  const named = await say("/probe:plain");
  const id = chat.sessionId;
  facts.test("A plugin's skill can be called by its full name.", () => {
    assertEquals(named.requests, 1);
  });
  const command = await say("/command");
  facts.test("A skill's command has the skill's permissions, the plugin's bin/ on the PATH, and the session's id, but not CLAUDE_PROJECT_DIR.", () => {
    assertStringIncludes(command.sent, `The line says:\n`);
    assertMatch(command.sent, new RegExp(`^CLAUDE_CODE_SESSION_ID=${id}$`, "m"));
    const [path = ""] = /^PATH=.*$/m.exec(command.sent) ?? [];
    assert(path.split(/[:=]/).includes(`${plugin.path}/bin`), path);
    assert(!/^CLAUDE_PROJECT_DIR=/m.test(command.sent), "a variable of hooks is set");
  });
  const substituted = await say("/expands");
  facts.test("A skill whose command contains a substitution does not load.", () => {
    assertEquals(substituted.requests, 0, "a command substitution was run");
  });
  const failure = await say("/fails");
  facts.test("A skill whose command fails does not load.", () => {
    assertEquals(failure.requests, 0, "the skill loads without the output of its command");
  });
  const builtin = await say("/probe:checkpoint");
  facts.test("A plugin's skill can be called by its full name even if the client has a command with its short name.", () => {
    assertStringIncludes(`${builtin.reply}\n${builtin.sent}`, "From the plugin");
  });
  plugin.answer("UserPromptExpansion", { decision: "block", reason: "answered-by-hook" });
  const blocked = await say("/blocked --some words");
  facts.test("A blocked UserPromptExpansion shows its reason and makes no request.", () => {
    assertEquals(blocked.requests, 0);
    assertMatch(blocked.reply, /^UserPromptExpansion operation blocked by hook:\nanswered-by-hook/);
  });
  checkExpansions(facts, plugin);
  await say("/clear");
  await say("after it");
  await chat.end();
  checkClear(facts, plugin, { id, isNewer: await isNewerClient() });
  checkFolder(facts, plugin, cwd);
}

function longPath(cwd: string): string {
  let path = cwd;
  while (path.length < LONG_PATH_CHARS) path += "/a_folder_with_a_rather_long_name";
  ensureDirSync(path);
  return path;
}

function checkExpansions(facts: Recorder, plugin: ProbePlugin): void {
  facts.test("The payload of UserPromptExpansion has the names of the plugin and the command, the arguments and the source.", () => {
    const runs = plugin.runs("UserPromptExpansion").map(({ payload }) => payload);
    const names = runs.map(({ command_name }) => command_name);
    assertEquals(names, [
      "probe:plain",
      "probe:command",
      "probe:expands",
      "probe:fails",
      "probe:checkpoint",
      "probe:blocked",
    ]);
    const { expansion_type, command_args, command_source } = Object(runs.at(-1));
    assertEquals([expansion_type, command_args, command_source], [
      "slash_command",
      "--some words",
      "plugin",
    ]);
  });
}

function checkClear(
  facts: Recorder,
  plugin: ProbePlugin,
  { id, isNewer }: { readonly id: string; readonly isNewer: boolean },
): void {
  facts.test("/clear ends the session just before it starts one with a new id.", () => {
    const runs = plugin.runs();
    const at = runs.findIndex(({ event }) => event === "SessionEnd");
    const [end, start] = [Object(runs[at]?.payload), Object(runs[at + 1]?.payload)];
    assertEquals([end.session_id, end.reason], [id, "clear"]);
    assertEquals([start.hook_event_name, start.source], ["SessionStart", "clear"]);
    assert(start.session_id !== id, "the new session has the old id");
  });
  facts.test("Both events of a /clear have the same prompt id, or the same process id of the client.", () => {
    const [end] = plugin.runs("SessionEnd");
    const start = plugin.runs("SessionStart").find(({ payload }) => payload.source === "clear");
    assertMatch(String(end?.payload.prompt_id), /^[0-9a-f-]{36}$/);
    // Newer clients pass the prompt id only at the end of the old session, but pass their process id to all
    // hooks.
    if (isNewer && start?.payload.prompt_id === undefined) {
      assertMatch(String(end?.env.CLAUDE_PID), /^\d+$/);
      assertEquals(start?.env.CLAUDE_PID, end?.env.CLAUDE_PID);
    } else {
      assertEquals(start?.payload.prompt_id, end?.payload.prompt_id);
    }
  });
}

function checkFolder(facts: Recorder, plugin: ProbePlugin, cwd: string): void {
  facts.test("The sessions folder of a long path has a shorter name, which starts with the path's first 150 characters.", () => {
    const [start] = plugin.runs("SessionStart");
    const folder = String(start?.payload.transcript_path).split("/").at(-2) ?? "";
    const plain = cwd.replace(/[^A-Za-z0-9]/g, "-");
    assert(folder.length < plain.length, `${folder.length} characters`);
    assertEquals(folder.slice(0, 150), plain.slice(0, 150));
  });
}
