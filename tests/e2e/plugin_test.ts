/**
 * Checks that the plugin validates, loads in the real client without errors and installs from a marketplace,
 * and that its hooks start on a machine that has never run Deno.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { walkSync } from "@std/fs";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { findClient, newHome, runClientWell, type TestHome } from "./bed/client.ts";
import { environmentOf } from "./bed/home.ts";
import { startMock, textOf } from "./bed/mock_api.ts";
import { isNewerClient } from "./bed/version.ts";
import { estimateTextTokens } from "../../src/transcript/tokens/tokens.ts";

/** An address without a server. Used as npm's registry, it makes downloads fail even if there is a network. */
const NO_SERVER = "http://127.0.0.1:9";

/** Runs `claude plugin ...` in a home; these commands make no API requests. */
async function runPluginCommand(
  home: TestHome,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await runChild(await findClient(), ["plugin", ...args], {
    cwd: home.cwd,
    clearEnv: true,
    env: environmentOf(home, NO_SERVER),
  });
  return { code, text: stdout + stderr };
}

/** Every session pays for the list of skills, which is in its first request. */
const MAX_SKILL_TOKENS = 180;

function hookEntries(plugin: string): { event: string; command: string }[] {
  const { hooks } = JSON.parse(Deno.readTextFileSync(`${plugin}/hooks/hooks.json`));
  const events: [string, { hooks: { command: string }[] }[]][] = Object.entries(hooks);
  return events.flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map(({ command }) => ({ event, command })))
  );
}

function skillNames(): string[] {
  return [...Deno.readDirSync(`${PLUGIN}/skills`)].map(({ name }) => name).sort();
}

function isTypedOnly(name: string): boolean {
  const text = Deno.readTextFileSync(`${PLUGIN}/skills/${name}/SKILL.md`);
  return /^disable-model-invocation: true$/m.test(text);
}

function contentsOf(folder: string): string[] {
  return [...walkSync(folder)].map(({ path }) => {
    const { size, mtime, isFile } = Deno.statSync(path);
    return `${path} ${isFile ? size : ""} ${mtime?.toISOString()}`;
  }).sort();
}

/** Wraps a shell command so that it runs without a network, on systems that allow it. */
function withoutNetwork(command: string): [string, string[]] {
  const probe = (): boolean => {
    try {
      return new Deno.Command("unshare", { args: ["-n", "true"], stderr: "null" })
        .outputSync().success;
    } catch {
      return false;
    }
  };
  return probe() ? ["unshare", ["-n", "sh", "-c", command]] : ["sh", ["-c", command]];
}

Deno.test("claude plugin validate --strict accepts the marketplace, the plugin, its hooks and skills", async () => {
  using home = newHome();
  // An older client does not know the manifest's field `network`, and warns.
  const strict = await isNewerClient() ? ["--strict"] : [];
  const validate = (path: string): Promise<{ code: number; text: string }> =>
    runPluginCommand(home, "validate", ...strict, path);
  const whole = await validate(PLUGIN);
  assertEquals(whole.code, 0, whole.text);
  assertStringIncludes(whole.text, "Validating marketplace manifest");
  if (await isNewerClient()) {
    // This profile adds the checks that a plugin directory runs on submissions.
    const profile = ["--strict", "--profile", "directory"];
    const listed = await runPluginCommand(home, "validate", ...profile, PLUGIN);
    assertEquals(listed.code, 0, listed.text);
    assertStringIncludes(listed.text, "module");
  }
  // The validator checks only the marketplace file if there is one, so the copy is checked without it.
  const plugin = copyPlugin(`${home.home}/plugin`);
  Deno.removeSync(`${plugin}/.claude-plugin/marketplace.json`);
  const alone = await validate(plugin);
  assertEquals(alone.code, 0, alone.text);
  assertStringIncludes(alone.text, "Validating plugin manifest");
  Deno.writeTextFileSync(`${plugin}/hooks/hooks.json`, JSON.stringify({ hooks: { Never: [] } }));
  const broken = await validate(plugin);
  assertEquals(broken.code, 1, "hooks must be validated; otherwise this test proves nothing");
});

Deno.test("the client loads every hook and skill of the plugin without errors", async () => {
  using home = newHome();
  await using mock = startMock();
  const log = `${home.home}/debug.log`;
  const args = ["--debug-file", log];
  const run = await runClientWell({ home, mock, pluginDir: PLUGIN, prompt: "hello", args });
  const lines = Deno.readTextFileSync(log).split("\n");
  assertEquals(lines.filter((line) => /\[ERROR\]|Plugin loading error/.test(line)), []);
  const hooks = hookEntries(PLUGIN).length;
  // Newer clients count built-in plugins, which have no hooks.
  const plugins = await isNewerClient() ? "[1-9]" : "1";
  assertMatch(lines.join("\n"), new RegExp(`Registered ${hooks} hooks from ${plugins} plugins`));
  // The client reports a failed hook only in the transcript.
  const failed = /hook_(?:non_blocking_error|blocking_error|cancelled)/;
  assertEquals(failed.exec(Deno.readTextFileSync(run.transcriptPath)), null);
  const requestText = mock.requests.map(textOf).join();
  const listed = requestText.match(/^- trimtab:.*$/gm) ?? [];
  // Skills that only a person can start are hidden from the model, which saves tokens in each session.
  const shown = skillNames().filter((name) => !isTypedOnly(name));
  assertEquals(listed.map((line) => /(?<=:)[\w-]+/.exec(line)?.[0]).sort(), shown);
  const tokens = Math.ceil(estimateTextTokens(listed.join("\n")));
  console.log(`the list of skills takes ${tokens} tokens`);
  assert(tokens <= MAX_SKILL_TOKENS, `${tokens} tokens`);
});

Deno.test("every hook starts on a fresh machine without a network, and leaves the plugin unchanged", async (t) => {
  using home = newHome();
  const plugin = copyPlugin(`${home.home}/plugin`);
  const before = contentsOf(plugin);
  const id = "0a0a0a0a-0000-4000-8000-000000000001";
  const transcript = `${home.sessions}/${id}.jsonl`;
  const [demo] = [...walkSync(`${PLUGIN}/tests/fixtures/demo`, { exts: ["jsonl"] })];
  assert(demo !== undefined);
  Deno.copyFileSync(demo.path, transcript);
  for (const { event, command } of hookEntries(plugin)) {
    await t.step(`${event}: ${command.replace(/^.*trimtab" /, "")}`, async () => {
      const denoDir = Deno.makeTempDirSync({ dir: home.home });
      const typed = { command_name: "trimtab:trim", command_args: "--keep-recent 0" };
      const ids = { session_id: id, transcript_path: transcript, cwd: home.cwd };
      const payload = { ...ids, hook_event_name: event, source: "startup", ...typed };
      const [program, args] = withoutNetwork(command);
      const { code, stdout, stderr } = await runChild(program, args, {
        cwd: home.cwd,
        clearEnv: true,
        stdin: JSON.stringify(payload),
        env: cleanEnv({
          HOME: home.home,
          DENO_DIR: denoDir,
          NPM_CONFIG_REGISTRY: NO_SERVER,
          CLAUDE_PLUGIN_ROOT: plugin,
          CLAUDE_PROJECT_DIR: home.cwd,
        }),
      });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      // The client passes PreCompact's output to the summarizer unchanged.
      if (event === "PreCompact") assertMatch(stdout, /^Keep these facts/);
      else if (stdout !== "") assertEquals(typeof JSON.parse(stdout), "object");
      if (event === "UserPromptExpansion") {
        assertMatch(stdout, /"reason":"Trimmed \d+ tool outputs/);
      }
      assertEquals(
        [...walkSync(denoDir, { match: [/[/\\]npm[/\\]/] })],
        [],
        "the hook downloads nothing from npm",
      );
    });
  }
  assertEquals(contentsOf(plugin), before);
});
