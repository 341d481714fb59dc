/**
 * Measures, on real sessions, the share of the outputs' characters that live shaping would have freed, and
 * the error lines that it would have lost.
 *
 *     deno run --allow-all bench/live.ts --sessions FOLDER [--bounds 20000,8000]
 */

import { parseArgs } from "@std/cli";
import { DEFAULT_CONFIG } from "../src/config/schema.ts";
import { errorLinesOf, lostLines } from "../tests/core/error_patterns.ts";
import { recordedResults, type ReplayedResult, replayResult } from "./live_replay.ts";
import { sessionsIn } from "./sessions.ts";
import { markdownTable } from "./table.ts";

const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";

export interface LiveFigures {
  before: number;
  after: number;
  shaped: number;
  errors: number;
  lost: string[];
  /** The hook's times for the shaped results, in milliseconds. */
  times: number[];
}

export async function replaySessions(
  texts: readonly string[],
  { maxChars, tools: shapedTools }: { maxChars: number; tools: readonly string[] },
): Promise<{ sessions: LiveFigures[]; tools: Map<string, LiveFigures> }> {
  const projectDir = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${projectDir}/.claude`);
    Deno.writeTextFileSync(
      `${projectDir}/.claude/trimtab.toml`,
      `[live]\nenabled = true\nmax_chars = ${maxChars}\ntools = ${JSON.stringify(shapedTools)}\n`,
    );
    const tools = new Map<string, LiveFigures>();
    const sessions: LiveFigures[] = [];
    let resultNumber = 0;
    for (const text of texts) {
      const session = emptyFigures();
      for (const recorded of recordedResults(text)) {
        const from = performance.now();
        const result = await replayResult(recorded, resultNumber++, {
          projectDir,
          sessionId: SESSION,
          maxChars,
        });
        const ms = performance.now() - from;
        const tool = tools.get(recorded.tool) ?? emptyFigures();
        tools.set(recorded.tool, tool);
        for (const figures of [session, tool]) add(figures, result, ms);
      }
      sessions.push(session);
    }
    return { sessions, tools };
  } finally {
    Deno.removeSync(projectDir, { recursive: true });
  }
}

export function freedPercent({ before, after }: LiveFigures): number {
  return before === 0 ? 0 : Math.round((before - after) / before * 1000) / 10;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function emptyFigures(): LiveFigures {
  return { before: 0, after: 0, shaped: 0, errors: 0, lost: [], times: [] };
}

function add(figures: LiveFigures, result: ReplayedResult, ms: number): void {
  figures.before += result.text.length;
  figures.after += result.chars;
  if (result.shaped === result.text) return;
  figures.shaped++;
  figures.times.push(ms);
  // A file's lines are not error messages, even if they contain error words.
  if (result.tool === "Read") return;
  figures.errors += errorLinesOf(result.text).length;
  figures.lost.push(...lostLines(result.text, result.shaped));
}

async function run(): Promise<void> {
  const flags = parseArgs(Deno.args, { string: ["sessions", "bounds"] });
  const folder = flags.sessions ?? ".";
  const texts = sessionsIn([folder]).map((path) => Deno.readTextFileSync(path));
  const sets = [DEFAULT_CONFIG.live.tools, [...DEFAULT_CONFIG.live.tools, "Read"]];
  for (const tools of sets) {
    for (const bound of (flags.bounds ?? "20000,8000,4000").split(",")) {
      const replay = await replaySessions(texts, { maxChars: Number(bound), tools });
      console.log(`\nOutputs over ${bound} characters, from ${tools.join(", ")}:\n`);
      console.log(report(replay));
    }
  }
}

function report(replay: Awaited<ReturnType<typeof replaySessions>>): string {
  const shares = replay.sessions.map(freedPercent);
  const touched = shares.filter((share) => share > 0);
  const rows = [...replay.tools].filter(([, tool]) => tool.shaped > 0).map(([name, tool]) => [
    name,
    String(tool.shaped),
    `${freedPercent(tool)} %`,
    `${tool.lost.length} of ${tool.errors}`,
    quantile(tool.times, 0.5).toFixed(1),
    quantile(tool.times, 0.9).toFixed(1),
  ]);
  const lost = [...replay.tools.values()].flatMap((tool) => tool.lost);
  return [
    markdownTable(
      ["tool", "shaped", "freed of its results", "lost error lines", "ms", "p90"],
      rows,
    ),
    `Sessions: ${shares.length}, ${touched.length} with an output over the bound. Freed in all sessions: ` +
    `median ${quantile(shares, 0.5)} %, p90 ${quantile(shares, 0.9)} %, maximum ${
      Math.max(...shares)
    } %; ` +
    `in sessions with such an output: median ${quantile(touched, 0.5)} %, p90 ${
      quantile(touched, 0.9)
    } %.`,
    ...lost.slice(0, 20).map((line) => `  lost: ${line.slice(0, 160)}`),
  ].join("\n");
}

if (import.meta.main) await run();
