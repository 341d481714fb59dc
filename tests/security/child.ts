/**
 * Runs one scenario in its own process, whose environment and working folder it may change, and
 * prints its findings as JSON: `child.ts SCENARIO ROOT full|part`.
 */

import { loadAll } from "./actor.ts";
import { deniedScenario } from "./denied.ts";
import { tryHostileArguments, tryHostilePayloads } from "./hostile_input.ts";
import { hostileContents, replacedFiles } from "./own_files.ts";
import { hostileTexts } from "./hostile_texts.ts";
import { plantedSecrets } from "./planted_secrets.ts";
import { noteCasesIn, type Watcher } from "./watcher.ts";
import { buildWorld, type World, worldAt } from "./world.ts";

type Scenario = (world: World, isFull: boolean) => Promise<Watcher>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tryHostileArguments,
  tryHostilePayloads,
  replacedFiles,
  hostileContents,
  plantedSecrets,
  hostileTexts,
  deniedRead: deniedScenario("read"),
  deniedWrite: deniedScenario("write"),
  deniedEnv: deniedScenario("env"),
  deniedRun: deniedScenario("run"),
};

const MAX_SHOWN = 500;

const [name = "", root = "", amount = "part"] = Deno.args;
const scenario = SCENARIOS[name];
if (scenario === undefined) throw new RangeError(`There is no scenario ${name}`);
// An imported test module may have set this variable. Here, the configuration folder is in the home folder.
Deno.env.delete("CLAUDE_CONFIG_DIR");
const world = worldAt(root);
buildWorld(world);
Deno.chdir(world.project);
await loadAll();
noteCasesIn(`${root}/at`);
const { cases, problems } = await scenario(world, amount === "full");
console.log(
  JSON.stringify({ cases, problems: problems.slice(0, MAX_SHOWN), count: problems.length }),
);
Deno.exit(0);
