/**
 * Runs the program in docs/guides/script.md, which keeps a worker under 60% of its limit, with the real
 * client.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runDeno } from "../../tools/child.ts";
import { readProject } from "../house/project.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { clientArgs, findClient, newSmallHome } from "./bed/client.ts";
import { environmentOf } from "./bed/home.ts";
import { startMock } from "./bed/mock_api.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { blocksOf } from "./bed/wire.ts";
import { test } from "./client_tests.ts";

const TASKS = 18;

/** The client's limit in the small model's window, in tokens. */
const LIMIT = 180_000;

test.full("the guide's worker is trimmed before its window is full, and keeps every task", async () => {
  using home = newSmallHome();
  const [, program = ""] = /^```ts ignore\n(import \{ status[^]*?)^```$/m
    .exec(readProject("docs/guides/script.md")) ?? [];
  Deno.writeTextFileSync(
    `${home.home}/worker.ts`,
    program.replace("@trimtab/trimtab", `file://${PLUGIN}/mod.ts`),
  );
  const tasks = Array.from({ length: TASKS }, (_, n) => `Task number ${n} of the list\n`);
  Deno.writeTextFileSync(`${home.cwd}/tasks.txt`, tasks.join(""));
  let calls = 0;
  await using mock = startMock({
    respond: ({ body, kind }) => {
      if (kind !== "main") return undefined;
      const last = blocksOf(body.messages.at(-1)?.content);
      if (last.some(({ type }) => type === "tool_result")) return "Done with it.";
      const command = `seq ${++calls}0000 ${calls}4200`;
      return [{ type: "tool_use", id: `toolu_w${calls}`, name: "Bash", input: { command } }];
    },
  });
  const bin = `${home.home}/bin`;
  Deno.mkdirSync(bin);
  const quoted = clientArgs({ home }).map((word) => `'${word}'`).join(" ");
  const script = `#!/bin/sh\nexec '${await findClient()}' "$@" ${quoted}\n`;
  Deno.writeTextFileSync(`${bin}/claude`, script, { mode: 0o755 });
  const env = environmentOf(home, mock.url);
  const flags = ["--quiet", "--config", `${PLUGIN}/deno.json`, "--no-check", "--cached-only"];
  const { code, stdout, stderr } = await runDeno(
    ["run", ...flags, "--allow-all", `${home.home}/worker.ts`],
    { cwd: home.cwd, clearEnv: true, env: { ...env, PATH: `${bin}:${env["PATH"]}` } },
  );
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^claude --resume [\da-f-]{36}\n$/);
  const main = mock.of("main");
  const sizes = main.map(({ body }) => contextTokensOf(countUsage(body)));
  const maxTokens = Math.max(...sizes);
  // Before the next check, one task may exceed the threshold by its output of 8,000 tokens.
  assert(maxTokens < 0.6 * LIMIT + 12_000, `${maxTokens} tokens`);
  assert(sizes.some((size, index) => size < (sizes[index - 1] ?? 0) * 0.8), "nothing was trimmed");
  assertEquals(mock.of("summariser").length, 0);
  const text = JSON.stringify(main.at(-1)?.body.messages);
  for (const task of tasks) assertStringIncludes(text, task.trim());
});
