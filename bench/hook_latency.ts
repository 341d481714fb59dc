/**
 * Times a hook on transcripts of several sizes, and compares it with an empty script. Each run is a process.
 *
 *     deno run --allow-all bench/hook_latency.ts --payload '{"transcript_path": "{transcript}"}' \
 *       [--sizes 1MB,100MB,1GB] [--runs 30] [--json] -- deno run --allow-read hooks/some_hook.ts
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { type BenchFile, benchFile, warm } from "./files.ts";
import { type Command, median, runTimed } from "./measure.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

const HELP = `Time a hook against an empty script, over transcripts of several sizes.

Usage: deno run --allow-all bench/hook_latency.ts [OPTIONS] -- COMMAND...

  --payload JSON   what the hook reads on stdin; {transcript}, {session_id} and {cwd} stand for the
                   transcript at hand (a UserPromptSubmit payload)
  --sizes LIST     transcript sizes, separated by commas (1MB,100MB,1GB)
  --runs N         how often each is timed; the median counts (30)
  --json           the figures as JSON on stdout; the table then goes to stderr
`;

export const PROMPT_PAYLOAD: string = JSON.stringify({
  session_id: "{session_id}",
  transcript_path: "{transcript}",
  cwd: "{cwd}",
  hook_event_name: "UserPromptSubmit",
  permission_mode: "default",
  prompt: "go on",
});

export interface Latency {
  readonly size: string;
  /** The median time of the hook, in milliseconds. */
  readonly hookMs: number;
  /** The median time of the empty script, which runs in turns with the hook, in milliseconds. */
  readonly emptyMs: number;
  readonly ratio: number;
}

export interface LatencyOptions {
  readonly argv: Command["argv"];
  /** `{transcript}`, `{session_id}` and `{cwd}` are replaced. */
  readonly payload: string;
  /** @default {30} */
  readonly runs?: number;
  /** Additional environment variables of the hook. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Times a hook on a transcript, in turns with the empty script.
 *
 * @returns The medians.
 * @throws {Error} When the hook does not exit 0, which would make the figures meaningless.
 */
export async function timeHook(file: BenchFile, options: LatencyOptions): Promise<Latency> {
  const { argv, payload, runs = 30 } = options;
  const stdin = payload.replaceAll("{transcript}", file.path)
    .replaceAll("{session_id}", file.sessionId).replaceAll("{cwd}", file.folder);
  const env = { CLAUDE_CONFIG_DIR: file.folder, CLAUDE_PROJECT_DIR: file.folder };
  const script = `${import.meta.dirname}/empty.ts`;
  const empty: Command = { argv: [Deno.execPath(), "run", "--no-prompt", script], stdin, env };
  const hook: Command = { argv, stdin, env: { ...env, ...options.env } };
  warm(file.path);
  const times: { hook: number[]; empty: number[] } = { hook: [], empty: [] };
  for (let run = 0; run < runs; run++) {
    times.empty.push((await runTimed(empty)).wallMs);
    const result = await runTimed(hook);
    if (result.code !== 0) {
      throw new Error(`Cannot time the hook: exit ${result.code}: ${result.stderr.trim()}`);
    }
    times.hook.push(result.wallMs);
  }
  const hookMs = median(times.hook);
  const emptyMs = median(times.empty);
  return { size: file.size, hookMs, emptyMs, ratio: hookMs / emptyMs };
}

async function main(): Promise<number> {
  const args = parseArgs(Deno.args, {
    boolean: ["help", "json"],
    string: ["payload", "sizes", "runs"],
    default: { payload: PROMPT_PAYLOAD, sizes: "1MB,100MB,1GB", runs: "30" },
    "--": true,
  });
  const [program, ...rest] = args["--"];
  const runs = Number(args.runs);
  if (args.help || program === undefined || !Number.isSafeInteger(runs) || runs < 1) {
    (args.help ? console.log : console.error)(HELP);
    return args.help ? 0 : 2;
  }
  const latencies: Latency[] = [];
  for (const size of args.sizes.split(",")) {
    const file = await benchFile(size);
    latencies.push(
      await timeHook(file, { argv: [program, ...rest], payload: args.payload, runs }),
    );
  }
  const table = markdownTable(
    ["transcript", "hook ms", "empty ms", "ratio"],
    latencies.map(({ size, hookMs, emptyMs, ratio }) => [
      size,
      formatMs(hookMs),
      formatMs(emptyMs),
      formatRatio(ratio),
    ]),
  );
  (args.json ? console.error : console.log)(table);
  if (args.json) console.log(JSON.stringify({ runs, latencies }, null, 2));
  return 0;
}

if (import.meta.main) Deno.exit(await main());
