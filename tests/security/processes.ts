/** Runs scenarios, and lists of commands and hooks, in their own processes. */

import { assertEquals, assertGreater } from "@std/assert";
import { type ChildResult, cleanEnv, runDeno } from "../../tools/child.ts";
import { IS_FULL } from "../full.ts";
import { newFastFolder } from "../folder.ts";

export type Call =
  | { readonly script: string; readonly args: readonly string[] }
  | { readonly hook: string; readonly payload: Readonly<Record<string, unknown>> };

interface ScenarioResult {
  readonly cases: number;
  /** Each problem is one sentence. */
  readonly problems: readonly string[];
}

/** A scenario that takes longer has hung. */
const MAX_MS = IS_FULL ? 1_200_000 : 300_000;

const RUN = ["run", "--quiet", "--no-check", "--no-prompt", "--allow-all"];

export function testScenario(name: string, scenario: string, minCases: number): void {
  Deno.test(name, async () => {
    const { cases, problems } = await runScenario(scenario);
    assertEquals(problems, []);
    assertGreater(cases, minCases);
  });
}

/** @throws {Error} When the scenario hangs or fails; the message includes the case. */
async function runScenario(scenario: string): Promise<ScenarioResult> {
  using temporary = newFastFolder();
  const root = temporary.path;
  const amount = IS_FULL ? "full" : "part";
  const args = [...RUN, `${import.meta.dirname}/child.ts`, scenario, root, amount];
  const { code, stdout, stderr } = await runDeno(args, {
    cwd: root,
    clearEnv: true,
    env: cleanEnv({ HOME: `${root}/home` }),
    signal: AbortSignal.timeout(MAX_MS),
  });
  if (code === 0) return JSON.parse(stdout);
  const lastNote = Deno.readTextFileSync(`${root}/at`).trim();
  throw new Error(`Cannot run ${scenario}: it ended in ${code} at "${lastNote}". ${stderr}`);
}

/** Runs commands and hooks in one process, with all permissions, and returns their results in order. */
export async function runCalls(
  calls: readonly Call[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ChildResult[]> {
  const { code, stdout, stderr } = await runDeno(
    [...RUN, `${import.meta.dirname}/calls_child.ts`],
    { cwd: options.cwd, clearEnv: true, env: cleanEnv(options.env), stdin: JSON.stringify(calls) },
  );
  if (code === 0) return JSON.parse(stdout);
  throw new Error(`Cannot run ${JSON.stringify(calls)}: ${stderr}`);
}
