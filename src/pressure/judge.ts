/**
 * Judges how full a window is by what is known of it.
 *
 * @module
 */

import type { ContextConfig } from "../config/schema.ts";
import type { EnvReader } from "../store/paths.ts";
import type { SessionState } from "../store/state.ts";
import type { TailUsage } from "../transcript/tokens/tail_usage.ts";
import { resolveWindow, type WindowSource } from "../transcript/tokens/window.ts";
import { levelAt, warningLadder, type WarningLevel } from "./ladder.ts";

/** Where a token count comes from. */
export type UsageSource =
  /** The API's own figure, in the transcript. */
  | "api"
  /** A metadata line of the transcript. */
  | "metadata"
  /** What the client told the status line, where the transcript says nothing. */
  | "statusline"
  /** Nothing tells. */
  | "none";

/** How full a window is. */
export interface SessionPressure {
  /** Tokens in context; null where nothing tells, as before the first answer or after a compaction. */
  readonly tokens: number | null;
  /** The size of the window in tokens. */
  readonly window: number;
  /** Usage in percent of the window, whole, 0 to 100; null where the tokens are. */
  readonly percent: number | null;
  /** Where that stands on the user's ladder; null where the tokens are. */
  readonly level: WarningLevel | null;
  /** Where the tokens come from. */
  readonly source: UsageSource;
  /** Where the window comes from. */
  readonly windowSource: WindowSource;
  /** Whether a compaction came after the newest answer. */
  readonly isCompacted: boolean;
  /** The model that answered last, where the transcript tells. */
  readonly model: string | null;
}

/** What a session's pressure is judged by. */
export interface PressureClues {
  /** The `[context]` table of the configuration. */
  readonly config: ContextConfig;
  /** What is remembered of the session. */
  readonly state: SessionState;
  /** Where environment variables are looked up. */
  readonly env: EnvReader;
}

/** Judges what the end of a transcript told. */
export function judgeUsage(tail: TailUsage, clues: PressureClues): SessionPressure {
  const { config, state, env } = clues;
  const { usage, isCompacted } = tail;
  // What the status line saw before a compaction is as outdated as what the transcript says.
  const recorded = usage === null && !isCompacted ? state.usage_tokens : undefined;
  const tokens = usage?.tokens ?? recorded ?? null;
  const window = resolveWindow({
    usedTokens: tokens ?? undefined,
    configured: config.window_tokens ?? undefined,
    recorded: state.window_tokens,
    metadata: usage?.window,
    model: usage?.model,
    env,
  });
  const percent = tokens === null
    ? null
    : contextPercent(tokens, window.tokens, roundingOf(usage?.source));
  return {
    tokens,
    window: window.tokens,
    percent,
    level: percent === null ? null : levelAt(percent, warningLadder(config)),
    source: usage?.source ?? (recorded === undefined ? "none" : "statusline"),
    windowSource: window.source,
    isCompacted,
    model: usage?.model ?? null,
  };
}

/**
 * Chooses how a percentage is made whole: what metadata lines tell is rounded down, as by everyone
 * who reads them.
 */
export function roundingOf(source: string | undefined): (percent: number) => number {
  return source === "metadata" ? Math.floor : Math.round;
}

/**
 * Usage in percent as the client counts it: rounded half up, never over 100.
 *
 * Source: `used_percentage` of Claude Code 2.1.197, down to the order of its operations. What
 * metadata lines tell is rounded otherwise: see {@linkcode roundingOf}.
 *
 * Permissions: none.
 *
 * @param tokens Tokens in context, 0 or more.
 * @param window The size of the window in tokens, over 0.
 * @param round How to make it whole.
 * @returns Whole percent, 0 to 100.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { contextPercent } from "./judge.ts";
 *
 * assertEquals(contextPercent(149_000, 200_000), 75);
 * assertEquals(contextPercent(210_001, 200_000), 100);
 * ```
 */
export function contextPercent(
  tokens: number,
  window: number,
  round: (percent: number) => number = Math.round,
): number {
  return Math.min(100, Math.max(0, round((tokens / window) * 100)));
}
