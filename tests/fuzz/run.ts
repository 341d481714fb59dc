/**
 * Runs cases in this process: `deno run -A tests/fuzz/run.ts --seed S --count N`, or repeats one
 * case: `--seed S --case N`.
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { makeFastFolder } from "../fast_folder.ts";
import { type CaseOptions, type Failure, type MadeCase, makeCase, runCase } from "./run_case.ts";
import { loadSeeds } from "./seeds.ts";

const MAX_PRINTED = 20;

const MAX_SHOWN_CHARS = 1_500;

/** A parent process expects a progress line after this many cases. */
const CASES_PER_PROGRESS = 500;

export interface RunSummary {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly failed: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly worst_ms: number;
  readonly worst_case: number;
  readonly by_target: Readonly<Record<string, { count: number; ms: number }>>;
  readonly peak_rss_mb: number;
  readonly source: string;
}

async function main(argv: readonly string[]): Promise<number> {
  const args = parseArgs([...argv], {
    string: ["seed", "count", "case", "from", "target", "dir", "save"],
    boolean: ["words"],
  });
  const seed = Number(args.seed ?? 1);
  const from = Number(args.case ?? args.from ?? 0);
  const count = args.case === undefined ? Number(args.count ?? 1_000) : 1;
  if (![seed, from, count].every((n) => Number.isSafeInteger(n) && n >= 0)) {
    console.error("Cannot run: --seed, --case, --from and --count are whole numbers from 0");
    return 2;
  }
  const folder = args.dir === undefined
    ? makeFastFolder("trimtab-fuzz-")
    : Deno.makeTempDirSync({ dir: args.dir });
  enter(folder);
  try {
    const options = { seed, seeds: loadSeeds(), folder, only: args.target };
    const save = args.save;
    const summary = await runAll({ from, count, hasWords: args.words === true, save }, options);
    console.log(JSON.stringify(summary));
    return summary.failed > 0 ? 1 : 0;
  } finally {
    Deno.chdir("/");
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Hides the caller's environment and working folder from the code under test. */
function enter(folder: string): void {
  for (const name of Object.keys(Deno.env.toObject())) {
    if (/^(?:CLAUDE|ANTHROPIC|WORK_)/.test(name)) Deno.env.delete(name);
  }
  Deno.env.set("HOME", `${folder}/case/home`);
  Deno.env.set("CLAUDE_PROJECT_DIR", `${folder}/case/project`);
  Deno.chdir(folder);
}

async function runAll(
  plan: { from: number; count: number; hasWords: boolean; save: string | undefined },
  options: CaseOptions,
): Promise<RunSummary> {
  const kinds: Record<string, number> = {};
  const byTarget: Record<string, { count: number; ms: number }> = {};
  const started = performance.now();
  const worst = { ms: 0, number: plan.from };
  let failed = 0;
  for (let number = plan.from; number < plan.from + plan.count; number++) {
    const made = makeCase(number, options);
    const before = performance.now();
    const failure = await runCase(made, options);
    const ms = performance.now() - before;
    if (ms > worst.ms) Object.assign(worst, { ms, number });
    const tally = byTarget[made.target.name] ??= { count: 0, ms: 0 };
    tally.count++;
    tally.ms += ms;
    if (failure !== null) {
      failed++;
      const isNew = kinds[failure.kind] === undefined;
      kinds[failure.kind] = (kinds[failure.kind] ?? 0) + 1;
      if (isNew && Object.keys(kinds).length <= MAX_PRINTED) {
        report(made, failure, plan.save, options);
      }
    }
    if (plan.hasWords && (number + 1) % CASES_PER_PROGRESS === 0) console.log(`case ${number}`);
  }
  for (const tally of Object.values(byTarget)) tally.ms = Math.round(tally.ms);
  return {
    seed: options.seed,
    from: plan.from,
    count: plan.count,
    failed,
    kinds,
    seconds: Math.round(performance.now() - started) / 1000,
    worst_ms: Math.round(worst.ms),
    worst_case: worst.number,
    by_target: byTarget,
    peak_rss_mb: peakRssMb(),
    source: options.seeds.source,
  };
}

function report(
  made: MadeCase,
  failure: Failure,
  save: string | undefined,
  options: CaseOptions,
): void {
  const again = `deno run -A tests/fuzz/run.ts --seed ${options.seed} --case ${made.number}`;
  const only = options.only === undefined ? "" : ` --target ${JSON.stringify(options.only)}`;
  console.error(`FAILED ${made.target.name}: ${failure.problem}\n  again: ${again}${only}`);
  for (const [name, text] of Object.entries(made.parts)) {
    console.error(`  ${name}: ${JSON.stringify(text).slice(0, MAX_SHOWN_CHARS)}`);
    if (save === undefined) continue;
    Deno.writeFileSync(
      `${save}/${made.number}.${name}`,
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  }
}

function peakRssMb(): number {
  try {
    const [, kb = ""] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return Math.round(Deno.memoryUsage().rss / 1024 / 1024);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
