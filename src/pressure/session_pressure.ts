/**
 * How full a session's window is: the one answer for hooks, commands and the status line.
 *
 * @module
 */

import { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
import { judgeUsage, type PressureClues, type SessionPressure } from "./judge.ts";

export type { PressureClues, SessionPressure, UsageSource } from "./judge.ts";

/** {@linkcode PressureClues}, and where the session is kept. */
export interface SessionPressureOptions extends PressureClues {
  /** The path of the transcript. */
  readonly transcript: string;
}

/**
 * Measures a session by the end of its transcript, at the same cost whatever its length.
 *
 * A transcript that is not there yet counts as one that says nothing.
 *
 * Permissions: `--allow-read` for the transcript, and what `env` needs for
 * `CLAUDE_CODE_MAX_CONTEXT_TOKENS` and `CLAUDE_CODE_DISABLE_1M_CONTEXT`.
 *
 * @param options The transcript, and what else is known.
 * @returns Tokens, window, percent and level, with their sources.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { DEFAULT_CONFIG } from "../config/schema.ts";
 * import { sessionPressure } from "./session_pressure.ts";
 *
 * const transcript = Deno.makeTempFileSync();
 * const message = { id: "m", model: "claude-sonnet-4-5", usage: { input_tokens: 149_000 } };
 * const line = { type: "assistant", uuid: "a", parentUuid: null, message };
 * Deno.writeTextFileSync(transcript, JSON.stringify(line) + "\n");
 * const clues = { config: DEFAULT_CONFIG.context, state: {}, env: () => undefined };
 * const { percent, level, source } = sessionPressure({ transcript, ...clues });
 * assertEquals({ percent, level, source }, { percent: 75, level: "recommend", source: "api" });
 * Deno.removeSync(transcript);
 * ```
 */
export function sessionPressure(options: SessionPressureOptions): SessionPressure {
  return judgeUsage(tailOf(options.transcript), options);
}

function tailOf(transcript: string): TailUsage {
  try {
    return readTailUsage(transcript);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { usage: null, isCompacted: false };
    throw error;
  }
}
