/**
 * Times every command against the tools that a person would use instead, on generated transcripts,
 * in one run: medians of whole processes, with peak memory.
 *
 *     deno task bench [--sizes 10MB,100MB,500MB] [--runs 5] [--only search,grep,rg] [--json]
 *       [--hook-sizes 1MB,100MB,500MB] [--hook-runs 30] [--write]
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { BASELINES, type Contender, contenders } from "./contenders.ts";
import { type BenchFile, benchFile, removeOutputs, warm } from "./files.ts";
import { parseSize } from "./generate.ts";
import { type HookLatency, timeHooks } from "./hooks.ts";
import { type Command, median, peakMemoryBytes, runTimed } from "./measure.ts";
import { resultsPage } from "./results.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

const HELP = `Time every command against what a person would use instead.

Usage: deno task bench [OPTIONS]

  --sizes LIST   transcript sizes, separated by commas; "" for none (10MB,100MB,500MB)
  --runs N       number of timed runs; the median is reported (5)
  --only LIST    rows whose names contain one of these words, separated by commas (all)
  --hook-sizes LIST  transcript sizes for the hooks; "" for none (1MB,100MB,500MB)
  --hook-runs N      number of timed runs of each hook (30)
  --write        writes bench/RESULTS.md
  --json         the figures as JSON on stdout; the tables then go to stderr
`;

export interface Row {
  readonly name: string;
  /** In milliseconds; null when the command did not run or failed. */
  readonly medianMs: number | null;
  /** The fastest and the slowest run, in milliseconds. */
  readonly rangeMs: readonly [number, number] | null;
  /** Transcript megabytes (10^6 bytes) per second. */
  readonly mbPerSecond: number | null;
  /** The largest resident set, in bytes. */
  readonly peakBytes: number | null;
  readonly ratios: { readonly [K in keyof typeof BASELINES]: number | null };
  /** The reason why figures are missing; empty if there are figures. */
  readonly note: string;
}

export interface SizeReport {
  readonly size: string;
  readonly bytes: number;
  readonly lines: number;
  readonly longestLine: number;
  readonly rows: readonly Row[];
}

interface Timing {
  readonly contender: Contender;
  readonly command: Command | null;
  readonly times: number[];
  note: string;
}

/**
 * Times all contenders on one transcript. They take turns, so that a slow moment of the machine affects all
 * of them. Removing the outputs after each run is not timed.
 */
export async function timeAll(
  file: BenchFile,
  list: readonly Contender[],
  runs: number,
): Promise<SizeReport> {
  const timings = list.map((contender): Timing => ({
    contender,
    command: contender.command?.(file) ?? null,
    times: [],
    note: contender.absent,
  }));
  await removeOutputs(file);
  warm(file.path);
  for (let run = 0; run < runs; run++) {
    for (const timing of timings) {
      if (timing.command === null || timing.note !== "") continue;
      const { wallMs, code, stderr } = await runTimed(timing.command);
      timing.times.push(wallMs);
      if (code !== 0) timing.note = `exit ${code}: ${stderr.trim().split("\n")[0] ?? ""}`;
      await removeOutputs(file);
    }
  }
  const peaks = new Map<string, number | null>();
  for (const { contender, command, note } of timings) {
    if (command === null || note !== "") continue;
    peaks.set(contender.name, await peakMemoryBytes(command));
    await removeOutputs(file);
  }
  return {
    size: file.size,
    bytes: file.bytes,
    ...measureLines(file.path),
    rows: rows(file, timings, peaks),
  };
}

function measureLines(path: string): { lines: number; longestLine: number } {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(1 << 20);
  let [lines, longestLine, length] = [0, 0, 0];
  for (let count = file.readSync(buffer); count !== null; count = file.readSync(buffer)) {
    let start = 0;
    for (let end = buffer.indexOf(10); end >= 0 && end < count; end = buffer.indexOf(10, start)) {
      longestLine = Math.max(longestLine, length + end - start);
      lines++;
      start = end + 1;
      length = 0;
    }
    length += count - start;
  }
  return { lines, longestLine: Math.max(longestLine, length) };
}

function rows(
  file: BenchFile,
  timings: readonly Timing[],
  peaks: ReadonlyMap<string, number | null>,
): Row[] {
  const medians = new Map(
    timings.filter(({ times, note }) => times.length > 0 && note === "").map((
      { contender, times },
    ) => [contender.name, median(times)]),
  );
  return timings.map(({ contender: { name }, times, note }) => {
    const medianMs = medians.get(name) ?? null;
    const ratio = (baseline: string) => {
      const other = medians.get(baseline);
      return medianMs === null || other === undefined ? null : medianMs / other;
    };
    return {
      name,
      medianMs,
      rangeMs: medianMs === null ? null : [Math.min(...times), Math.max(...times)],
      mbPerSecond: medianMs === null ? null : file.bytes / 1000 / medianMs,
      peakBytes: peaks.get(name) ?? null,
      ratios: {
        scanCopy: ratio(BASELINES.scanCopy),
        cp: ratio(BASELINES.cp),
        python: ratio(BASELINES.python),
        empty: ratio(BASELINES.empty),
      },
      note,
    };
  });
}

export function formatReport({ size, bytes, rows }: SizeReport): string {
  const head = ["", "ms", "range", "MB/s", "peak MB", "/ scan+copy", "/ cp", "/ python", "/ empty"];
  const cells = rows.map((row) => {
    if (row.medianMs === null || row.rangeMs === null) return [row.name, row.note];
    const { scanCopy, cp, python, empty } = row.ratios;
    return [
      row.name,
      formatMs(row.medianMs),
      row.rangeMs.map(formatMs).join("-"),
      // The empty script reads no file, so it has no rate.
      row.name === BASELINES.empty ? "-" : Math.round(row.mbPerSecond ?? 0).toString(),
      row.peakBytes === null ? "-" : Math.round(row.peakBytes / 1e6).toString(),
      ...[scanCopy, cp, python, empty].map(formatRatio),
    ];
  });
  const timed = cells.filter((row) => row.length === head.length);
  const missing = cells.filter((row) => row.length !== head.length)
    .map(([name, note]) => `- ${name}: not measured, ${note}\n`);
  const title = `## ${size} (${bytes.toLocaleString("en-US")} bytes)`;
  return `${title}\n\n${markdownTable(head, timed)}${missing.length ? "\n" : ""}${
    missing.join("")
  }`;
}

async function main(): Promise<number> {
  const args = parseArgs(Deno.args, {
    boolean: ["help", "json", "write"],
    string: ["sizes", "runs", "only", "hook-sizes", "hook-runs"],
    default: {
      sizes: "10MB,100MB,500MB",
      runs: "5",
      only: "",
      "hook-sizes": "1MB,100MB,500MB",
      "hook-runs": "30",
    },
  });
  if (args.help) {
    console.log(HELP);
    return 0;
  }
  const runs = Number(args.runs);
  const hookRuns = Number(args["hook-runs"]);
  const [sizes, hookSizes] = [args.sizes, args["hook-sizes"]].map((list) =>
    list.split(",").filter((size) => size !== "")
  ) as [string[], string[]];
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 1;
  if (
    !isCount(runs) || !isCount(hookRuns) || [...sizes, ...hookSizes].some((size) => !isSize(size))
  ) {
    console.error(HELP);
    return 2;
  }
  const print = args.json ? console.error : console.log;
  const machine = {
    deno: Deno.version.deno,
    os: `${Deno.build.os} ${Deno.osRelease()}`,
    cpus: navigator.hardwareConcurrency,
    memoryBytes: Deno.systemMemoryInfo().total,
  };
  const about = `Medians of ${runs}, hooks of ${hookRuns}; Deno ${machine.deno}, ${machine.os}, ` +
    `${machine.cpus} cores, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB`;
  print(`# ${about}\n`);
  const words = args.only.split(",");
  const list = (await contenders()).filter(({ name }) => words.some((word) => name.includes(word)));
  const reports: SizeReport[] = [];
  for (const size of sizes) {
    const report = await timeAll(await benchFile(size), list, runs);
    print(formatReport(report));
    reports.push(report);
  }
  const hooks: HookLatency[] = [];
  for (const size of hookSizes) hooks.push(...await timeHooks(await benchFile(size), hookRuns));
  const day = new Date().toISOString().slice(0, 10);
  const command = ["deno task bench", ...Deno.args].join(" ");
  const page = resultsPage(
    { reports, hooks },
    `${about}. ${day}, by \`${command}\`.`,
    reports.map(formatReport),
  );
  print(page.slice(page.indexOf("## Against")));
  if (args.write) await Deno.writeTextFile(`${import.meta.dirname}/RESULTS.md`, page);
  if (args.json) console.log(JSON.stringify({ machine, runs, reports, hooks }, null, 2));
  const failed = reports.some(({ rows }) => rows.some(({ note }) => note.startsWith("exit ")));
  return failed ? 1 : 0;
}

function isSize(text: string): boolean {
  try {
    return parseSize(text) > 0;
  } catch {
    return false;
  }
}

if (import.meta.main) Deno.exit(await main());
