/**
 * Runs a scenario in its own process.
 *
 * @module
 */

import { cleanEnv, runDeno } from "../../tools/child.ts";
import { IS_FULL } from "../full.ts";
import { newFastFolder } from "../folder.ts";

export interface ScenarioResult {
  readonly cases: number;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/** A scenario that takes longer has hung. */
const MAX_MS = IS_FULL ? 1_200_000 : 300_000;

/** @throws {Error} When the scenario hangs or fails; the message names the case. */
export async function runScenario(scenario: string): Promise<ScenarioResult> {
  using temporary = newFastFolder();
  const root = temporary.path;
  const script = new URL("./child.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--no-check", "--no-prompt", "--allow-all", script];
  const amount = IS_FULL ? "full" : "part";
  const { code, stdout, stderr } = await runDeno([...args, scenario, root, amount], {
    cwd: root,
    clearEnv: true,
    env: cleanEnv({ HOME: `${root}/home` }),
    signal: AbortSignal.timeout(MAX_MS),
  });
  if (code === 0) return JSON.parse(stdout);
  const lastNote = Deno.readTextFileSync(`${root}/at`).trim();
  throw new Error(`Cannot play ${scenario}: it ended in ${code} at "${lastNote}". ${stderr}`);
}
