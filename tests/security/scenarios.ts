/**
 * The scenarios by name.
 *
 * @module
 */

import { deniedScenario } from "./denied.ts";
import { hostileArguments, hostilePayloads } from "./hostile_input.ts";
import { hostileContents, replacedFiles } from "./own_files.ts";
import { hostileTexts } from "./hostile_texts.ts";
import { plantedSecrets } from "./planted_secrets.ts";
import type { Watcher } from "./watcher.ts";
import type { World } from "./world.ts";

/** Runs a scenario in a newly built world; `isFull` includes every case. */
export type Scenario = (world: World, isFull: boolean) => Promise<Watcher>;

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  hostileArguments,
  hostilePayloads,
  replacedFiles,
  hostileContents,
  plantedSecrets,
  hostileTexts,
  deniedRead: deniedScenario("read"),
  deniedWrite: deniedScenario("write"),
  deniedEnv: deniedScenario("env"),
  deniedRun: deniedScenario("run"),
};
