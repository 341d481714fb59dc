/**
 * Runs commands and a hook from one bundled file in another folder, like an executable. The bundle must
 * contain their dynamic imports, and must not read the sources.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { testInFull } from "../full.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { errorOf, idOf, newPlace, sessionOf, textOf } from "./place.ts";

const ID = idOf(1);

/** Commands in the order in which they run, each with text from its output. */
const COMMANDS: readonly (readonly [args: readonly string[], words: string])[] = [
  [["--version"], "0.1.0"],
  [["status"], "Usage: reported by the API"],
  [["trim", "--dry-run", "--threshold", "100", "--keep-recent", "0"], "Would trim 2 tool outputs"],
  [["checkpoint"], "saved and verified"],
  [["verify", "latest"], "is a complete checkpoint"],
  [["restore"], "Resuming from Checkpoint"],
  [["snapshot", "--name", "mine"], "saved"],
  [["rehydrate"], "# Restored Context: mine"],
  [["report"], "Wrote "],
  [["search", "needle"], `${ID.slice(0, 8)}:3`],
  [["list"], "snapshot"],
  [["rollover", "--auto"], "/clear"],
  [["clean"], "has nothing to clean up"],
  [["prompt"], "context"],
];

testInFull({
  name: "commands and a hook work from one file that cannot read the sources",
  fn: runAll,
});

async function runAll(t: Deno.TestContext): Promise<void> {
  using place = newPlace();
  const text = "a needle\n".repeat(4_000);
  place.add(ID, sessionOf([["Read", text], ["Bash", text]], { id: ID, cwd: place.cwd }));
  const file = `${place.home}/trimtab.js`;
  const source = `${PLUGIN}/scripts/trimtab.ts`;
  textOf(await runDeno(["bundle", "--quiet", "--output", file, source]));
  const flags = ["--no-prompt", "--no-config", "--allow-all", `--deny-read=${PLUGIN}`];
  const options = { cwd: place.cwd, clearEnv: true, env: cleanEnv({ HOME: place.home }) };
  const run = (args: readonly string[], stdin = "") =>
    runDeno(["run", "--quiet", ...flags, file, ...args], { ...options, stdin });
  for (const [args, words] of COMMANDS) {
    await t.step(args.join(" "), async () => {
      assertStringIncludes(textOf(await run(args)), words);
    });
  }
  const payload = { session_id: ID, cwd: place.cwd, hook_event_name: "Stop" };
  assertEquals((await run(["hook", "stop"], JSON.stringify(payload))).code, 0);
  assertStringIncludes((await run(["doctor"])).stdout, "ok  deno ");
  const error = errorOf(await run(["install"]));
  assertStringIncludes(error, "run bin/trimtab install in a copy of the plugin");
}
