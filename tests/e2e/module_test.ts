/** Checks the module against the client's own declarations and test runner. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { runChild, runDeno } from "../../tools/child.ts";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { findClient, newHome, type TestHome } from "./bed/client.ts";
import { environmentOf } from "./bed/home.ts";
import { startMock } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";

const CHECK = `
/// <reference types="./.claude-plugin/types/claude-code/index.d.ts" />
/// <reference types="./.claude-plugin/types/claude-code-tools/index.d.ts" />
import type { Register } from "claude-code";
import { register } from "./hooks/_inside.ts";
export const right: Register = register;
// @ts-expect-error: the client has no such event; without an error, the check would prove nothing.
export const wrong: Register = (on) => on("session.compacts", register);
`;

/** Only the client provides this module. Its limit of 5 s for each test is too short on a busy machine. */
const KIT = `import { expect, test as addTest } from "claude-code/testing";
const test = (title, body) => addTest(title, { timeoutMs: 60_000 }, body);
`;

/** Starts the client with the plugin, so that the client writes its declarations into the plugin's folder. */
async function writeDeclarations(home: TestHome, pluginDir: string): Promise<void> {
  await using mock = startMock();
  await using terminal = await openTerminal({ home, mock, pluginDir });
  await terminal.say("hello", /Done\./);
  await terminal.exit();
}

/** Type-checks with the globals of the language and Deno only, since the client declares all others. */
function checkProgram(folder: string): Promise<{ code: number; stderr: string }> {
  const config = JSON.parse(Deno.readTextFileSync(`${folder}/deno.json`));
  config.compilerOptions.lib = ["esnext", "deno.ns"];
  config.compilerOptions.skipLibCheck = true;
  Deno.writeTextFileSync(`${folder}/check.json`, JSON.stringify(config));
  Deno.writeTextFileSync(`${folder}/check.ts`, CHECK);
  return runDeno(["check", "--config", `${folder}/check.json`, "--no-lock", `${folder}/check.ts`]);
}

test.fullModuleInTerminal("hooks/_inside.ts type-checks against the client's declarations", async () => {
  using home = newHome();
  const folder = copyPlugin(`${home.home}/plugin`);
  await writeDeclarations(home, folder);
  const { code, stderr } = await checkProgram(folder);
  assertEquals([code, stderr.replace(/^Check .*\n/, "")], [0, ""]);
});

test.module("claude plugin test runs the module on the client's own engine", async () => {
  using home = newHome();
  const folder = copyPlugin(`${home.home}/plugin`);
  const tests = Deno.readTextFileSync(`${PLUGIN}/tests/e2e/module_in_client.js`);
  Deno.writeTextFileSync(`${folder}/module.test.ts`, KIT + tests);
  const options = { cwd: home.cwd, clearEnv: true, env: environmentOf(home, "") };
  const args = ["plugin", "test", folder];
  const { code, stdout, stderr } = await runChild(await findClient(), args, options);
  assertEquals(code, 0, stdout + stderr);
  assertStringIncludes(stdout + stderr, " 0 fail");
});

interface EvalCase {
  readonly name: string;
  readonly arms: Readonly<Record<string, readonly { error: unknown; score: number }[]>>;
}

test.fullModule("claude plugin eval runs each case of evals/ with the plugin and without it", async () => {
  using home = newHome();
  // The mock answers in place of the model, so the test covers only the format of the cases and the graders
  // that need no judge.
  await using mock = startMock({
    respond: ({ body }) => JSON.stringify(body).includes("PASS or FAIL") ? "PASS" : "391",
  });
  const folder = copyPlugin(`${home.home}/plugin`);
  const results = `${home.home}/results.json`;
  const flags = ["--trust-plugin", "--runs", "1", "--no-publish", "--json", results];
  const options = { cwd: home.cwd, clearEnv: true, env: environmentOf(home, mock.url) };
  const args = ["plugin", "eval", folder, ...flags];
  const { code, stdout, stderr } = await runChild(await findClient(), args, options);
  assertEquals(code, 0, stdout + stderr);
  const cases: EvalCase[] = JSON.parse(Deno.readTextFileSync(results)).cases;
  const names = [...Deno.readDirSync(`${PLUGIN}/evals`)].map(({ name }) => name)
    .filter((name) => name !== "results").sort();
  assertEquals(cases.map(({ name }) => name).sort(), names);
  for (const { name, arms } of cases) {
    assertEquals(Object.keys(arms).sort(), ["with", "without"], name);
    for (const [run] of Object.values(arms)) assertEquals(run?.error, null, name);
  }
  const unrelated = cases.find(({ name }) => name === "unrelated-question");
  assertEquals(unrelated?.arms.with?.[0]?.score, 1);
});
