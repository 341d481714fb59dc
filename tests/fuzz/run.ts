/**
 * Runs cases in this process: `deno run -A tests/fuzz/run.ts --seed S --count N`, or repeats one
 * case: `--seed S --case N`. Prints each failure, and ends with a line of JSON.
 */

import { parseArgs } from "@std/cli";
import { newFastFolder } from "../folder.ts";
import { Random } from "./random.ts";
import { loadSeeds } from "./seeds.ts";
import {
  createPlace,
  FailedCheck,
  isDocumented,
  isUnpolluted,
  type Parts,
  placeAt,
  type Target,
} from "./target.ts";
import { pickTarget } from "./targets.ts";

const MAX_PRINTED = 20;
const MAX_SHOWN_CHARS = 1_500;
const MAX_CASE_MS = 60_000;

/** Makes the random choices of a run independent of the choices that made its input. */
const RUN_SALT = 0x5bd1e995;

interface Plan {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly folder: string;
}

async function main(argv: readonly string[]): Promise<number> {
  const args = parseArgs([...argv], { string: ["seed", "count", "case"] });
  const seed = Number(args.seed ?? 1);
  const from = Number(args.case ?? 0);
  const count = args.case === undefined ? Number(args.count ?? 1_000) : 1;
  if (![seed, from, count].every((n) => Number.isSafeInteger(n) && n >= 0)) {
    console.error("Cannot run: --seed, --case and --count are whole numbers of 0 or more");
    return 2;
  }
  using folder = newFastFolder();
  enter(folder.path);
  try {
    const summary = await runAll({ seed, from, count, folder: folder.path });
    console.log(JSON.stringify(summary));
    return summary.failed > 0 ? 1 : 0;
  } finally {
    Deno.chdir("/");
  }
}

/** Hides the caller's home, client variables and working folder from the code under test. */
function enter(folder: string): void {
  for (const name of Object.keys(Deno.env.toObject())) {
    if (/^(?:CLAUDE|ANTHROPIC|WORK_)/.test(name)) Deno.env.delete(name);
  }
  Deno.env.set("HOME", `${folder}/case/home`);
  Deno.env.set("CLAUDE_PROJECT_DIR", `${folder}/case/project`);
  Deno.chdir(folder);
}

async function runAll(
  plan: Plan,
): Promise<{ count: number; failed: number; by_target: Record<string, number> }> {
  const seeds = loadSeeds();
  const root = `${plan.folder}/case`;
  const byTarget: Record<string, number> = {};
  let failed = 0;
  for (let number = plan.from; number < plan.from + plan.count; number++) {
    const random = new Random(plan.seed, number);
    const target = pickTarget(random);
    const parts = target.make(random, seeds, placeAt(root));
    byTarget[target.name] = (byTarget[target.name] ?? 0) + 1;
    const choices = new Random(plan.seed ^ RUN_SALT, number);
    const problem = await problemOf(target, parts, { root, random: choices });
    if (problem === null) continue;
    if (++failed > MAX_PRINTED) continue;
    const again = `deno run -A tests/fuzz/run.ts --seed ${plan.seed} --case ${number}`;
    console.error(`FAILED ${target.name}: ${problem}\n  again: ${again}`);
    for (const [name, text] of Object.entries(parts)) {
      console.error(`  ${name}: ${JSON.stringify(text).slice(0, MAX_SHOWN_CHARS)}`);
    }
  }
  return { count: plan.count, failed, by_target: byTarget };
}

async function problemOf(
  target: Target,
  parts: Parts,
  { root, random }: { readonly root: string; readonly random: Random },
): Promise<string | null> {
  const place = placeAt(root);
  createPlace(place);
  const started = performance.now();
  try {
    await target.run(parts, place, random);
  } catch (error) {
    if (!target.mayRefuse || !isDocumented(error)) return describe(error);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
  if (!isUnpolluted()) return "Object.prototype was changed";
  const ms = performance.now() - started;
  return ms > MAX_CASE_MS ? `it took ${Math.round(ms)} ms` : null;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof FailedCheck) return error.message;
  return `${error.stack}`.slice(0, MAX_SHOWN_CHARS);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
