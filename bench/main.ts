/**
 * Times every command against the tools that a person would use instead, on generated transcripts, in one run.
 * Reports medians of whole processes, and peak memory.
 *
 *     deno task bench [--sizes 10MB,100MB,500MB] [--runs 5] [--only search,grep,rg]
 *       [--hook-sizes 1MB,100MB,500MB] [--hook-runs 30] [--client] [--write]
 */

import { parseArgs } from "@std/cli";
import { clientTable, timeClient } from "./client.ts";
import { formatReport, type SizeReport, timeAll } from "./commands.ts";
import { contenders } from "./contenders.ts";
import { benchFile } from "./files.ts";
import { parseSize } from "./generate.ts";
import { type HookLatency, timeHooks } from "./hooks.ts";
import { resultsPage } from "./results.ts";

const HELP = `Time every command against what a person would use instead.

Usage: deno task bench [OPTIONS]

  --sizes LIST   transcript sizes, separated by commas; "" for none (10MB,100MB,500MB)
  --runs N       number of timed runs; the median is reported (5)
  --only LIST    rows whose names contain one of these words, separated by commas (all)
  --hook-sizes LIST  transcript sizes for the hooks; "" for none (1MB,100MB,500MB)
  --hook-runs N      number of timed runs of each hook (30)
  --client       also time the real client with and without the plugin
  --write        also write bench/RESULTS.md
`;

/** The session that the client trims in place. */
const CLIENT_SIZE = "4MB";

async function main(): Promise<number> {
  const args = parseArgs(Deno.args, {
    boolean: ["help", "client", "write"],
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
  const memoryGiB = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const about = `Medians of ${runs} runs (hooks: ${hookRuns}); Deno ${Deno.version.deno}, ` +
    `${Deno.build.os} ${Deno.osRelease()}, ${navigator.hardwareConcurrency} cores, ${memoryGiB} GiB`;
  console.log(`# ${about}\n`);
  const words = args.only.split(",");
  const list = (await contenders()).filter(({ name }) => words.some((word) => name.includes(word)));
  const reports: SizeReport[] = [];
  for (const size of sizes) {
    const report = await timeAll(benchFile(size), list, runs);
    console.log(formatReport(report));
    reports.push(report);
  }
  const hooks: HookLatency[] = [];
  for (const size of hookSizes) hooks.push(...await timeHooks(benchFile(size), hookRuns));
  const day = new Date().toISOString().slice(0, 10);
  const command = ["deno task bench", ...Deno.args].join(" ");
  const page = resultsPage(
    { reports, hooks },
    `${about}. ${day}, by \`${command}\`.`,
    reports.map(formatReport),
  );
  console.log(page.slice(page.indexOf("## Against")));
  if (args.client) {
    console.log(clientTable(await timeClient({ runs, session: benchFile(CLIENT_SIZE).path })));
  }
  if (args.write) await Deno.writeTextFile(`${import.meta.dirname}/RESULTS.md`, page);
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
