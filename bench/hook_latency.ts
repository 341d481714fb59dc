/**
 * Times a hook on a transcript, and compares it with an empty script. Each run is a separate
 * process.
 *
 * @module
 */

import { type BenchFile, warm } from "./files.ts";
import { type Command, median, runTimed } from "./measure.ts";

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
  readonly hookMs: number;
  readonly emptyMs: number;
  readonly ratio: number;
}

export interface LatencyOptions {
  readonly argv: Command["argv"];
  /** `{transcript}`, `{session_id}` and `{cwd}` are replaced. */
  readonly payload: string;
  readonly runs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Times a hook on a transcript, alternating with the empty script.
 *
 * @returns The medians.
 * @throws {Error} When the hook does not exit 0, which would make the figures meaningless.
 */
export async function timeHook(file: BenchFile, options: LatencyOptions): Promise<Latency> {
  const { argv, payload, runs } = options;
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
