/**
 * Runs a million cases by default: `deno run -A tests/fuzz/full.ts --seed S --count N --processes
 * P`. Prints each failure with its seed and case, and ends with a line of JSON.
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { cleanEnv } from "../../tools/child.ts";
import { CORPUS } from "../corpus/corpus.ts";
import { makeFastFolder } from "../fast_folder.ts";
import type { RunSummary } from "./run.ts";

const DEFAULT_COUNT = 1_000_000;
const DEFAULT_PROCESSES = 2;

/** After this many cases, a new process takes over, which bounds a memory leak and makes it visible. */
const CASES_PER_PROCESS = 10_000;

/** A process that is silent for this long has hung, since it reports every few hundred cases. */
const MAX_SILENCE_MS = 120_000;

const RUN = new URL("./run.ts", import.meta.url).pathname;

interface Totals {
  cases: number;
  failed: number;
  worst_ms: number;
  worst_case: number;
  peak_rss_mb: number;
  kinds: Record<string, number>;
  by_target: Record<string, { count: number; ms: number }>;
  source: string;
}

async function main(argv: readonly string[]): Promise<number> {
  const args = parseArgs([...argv], { string: ["seed", "count", "processes"] });
  const seed = Number(args.seed ?? 1);
  const count = Number(args.count ?? DEFAULT_COUNT);
  const processes = Number(args.processes ?? DEFAULT_PROCESSES);
  if (![seed, count, processes].every((n) => Number.isSafeInteger(n) && n >= 1)) {
    console.error("Cannot run: --seed, --count and --processes are whole numbers from 1");
    return 2;
  }
  const totals: Totals = {
    cases: 0,
    failed: 0,
    worst_ms: 0,
    worst_case: 0,
    peak_rss_mb: 0,
    kinds: {},
    by_target: {},
    source: "",
  };
  // The folder is made here, so that it is removed even if a process dies or is killed.
  const folder = makeFastFolder("trimtab-fuzz-");
  const started = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next += CASES_PER_PROCESS;
      const part = { seed, from, count: Math.min(CASES_PER_PROCESS, count - from) };
      addSummary(totals, await runPart({ ...part, dir: folder }), part);
      const seconds = (performance.now() - started) / 1000;
      const rate = Math.round(totals.cases / seconds);
      console.log(`${totals.cases} cases, ${totals.failed} failed, ${rate} cases/s`);
    }
  };
  try {
    await Promise.all(Array.from({ length: processes }, work));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round(totals.cases / seconds);
  console.log(JSON.stringify({
    seed,
    processes,
    seconds: Math.round(seconds),
    cases_a_second: rate,
    ...totals,
  }));
  return totals.failed > 0 ? 1 : 0;
}

/** Runs some cases in a process; undefined if it dies or hangs. */
async function runPart(
  part: { seed: number; from: number; count: number; dir: string },
): Promise<RunSummary | undefined> {
  const options = Object.entries(part).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-all", RUN, ...options, "--words"],
    clearEnv: true,
    env: cleanEnv({ TRIMTAB_CORPUS: CORPUS }),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let last = "";
  let timer = setTimeout(stop, MAX_SILENCE_MS);
  function stop(): void {
    console.error(`HANGS: killed after ${MAX_SILENCE_MS} ms of silence behind: ${last}`);
    child.kill("SIGKILL");
  }
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(timer);
    timer = setTimeout(stop, MAX_SILENCE_MS);
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    last = lines.at(-1) ?? last;
  }
  clearTimeout(timer);
  await child.status;
  return last.startsWith("{") ? JSON.parse(last) : undefined;
}

function addSummary(
  totals: Totals,
  summary: RunSummary | undefined,
  part: { from: number; count: number },
): void {
  if (summary === undefined) {
    console.error(`DIED: cases ${part.from} to ${part.from + part.count - 1}`);
    totals.failed++;
    return;
  }
  totals.cases += summary.count;
  totals.failed += summary.failed;
  totals.source = summary.source;
  totals.peak_rss_mb = Math.max(totals.peak_rss_mb, summary.peak_rss_mb);
  if (summary.worst_ms > totals.worst_ms) {
    totals.worst_ms = summary.worst_ms;
    totals.worst_case = summary.worst_case;
  }
  for (const [kind, times] of Object.entries(summary.kinds)) {
    totals.kinds[kind] = (totals.kinds[kind] ?? 0) + times;
  }
  for (const [name, { count, ms }] of Object.entries(summary.by_target)) {
    const known = totals.by_target[name] ??= { count: 0, ms: 0 };
    known.count += count;
    known.ms += ms;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
