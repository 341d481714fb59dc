/**
 * How large a model's window is.
 *
 * @module
 */

import type { EnvReader } from "../../store/paths.ts";

/** The window of a model that nothing else is known of, in tokens. */
export const STANDARD_WINDOW_TOKENS = 200_000;

/** The window of a model that runs with long context, in tokens. */
export const LARGE_WINDOW_TOKENS = 1_000_000;

/**
 * Windows by model, the first match counts.
 *
 * Source: `modelUsage.contextWindow` of Claude Code 2.1.197 for claude-3-5-haiku to
 * claude-opus-4-8: 200,000 for every model, 1,000,000 with `[1m]` behind its name. An account can
 * be given the large window without that mark (seen with claude-opus-4-8); the transcript does not
 * tell, so only the status line, the configuration, or a usage beyond the window can.
 */
const WINDOWS: readonly { pattern: RegExp; tokens: number }[] = [
  { pattern: /\[1m\]$/i, tokens: LARGE_WINDOW_TOKENS },
  { pattern: /^claude-/, tokens: STANDARD_WINDOW_TOKENS },
];

/** How a window came to be known, the surest first. */
export type WindowSource =
  | "config"
  | "environment"
  | "statusline"
  | "metadata"
  | "model"
  | "default"
  | "inferred";

/** A window. */
export interface ContextWindow {
  /** Its size in tokens. */
  tokens: number;
  /** How it came to be known. */
  source: WindowSource;
}

/** What {@linkcode resolveWindow} goes by. */
export interface WindowClues {
  /** The usage seen, in tokens. */
  usedTokens?: number | undefined;
  /** `window_tokens` of the configuration. */
  configured?: number | undefined;
  /** What the status line recorded for this session, in tokens. */
  recorded?: number | undefined;
  /** What a metadata line names, in tokens. */
  metadata?: number | undefined;
  /** The model that answered last. */
  model?: string | undefined;
  /** Where environment variables are looked up. */
  env?: EnvReader | undefined;
}

/**
 * Tells how large the window is: from the configuration, the environment, what the status line
 * recorded, a metadata line, or the model. A usage beyond the window shows that the window is a
 * larger one.
 *
 * Permissions: what `env` needs for `CLAUDE_CODE_MAX_CONTEXT_TOKENS` and
 * `CLAUDE_CODE_DISABLE_1M_CONTEXT`.
 *
 * @param clues What is known.
 * @returns The window and how it came to be known.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { resolveWindow } from "./window.ts";
 *
 * assertEquals(resolveWindow({ model: "claude-sonnet-4-5" }).tokens, 200_000);
 * assertEquals(resolveWindow({ model: "claude-sonnet-4-5", usedTokens: 210_000 }), {
 *   tokens: 1_000_000,
 *   source: "inferred",
 * });
 * ```
 */
export function resolveWindow(clues: WindowClues): ContextWindow {
  const { usedTokens = 0, configured, metadata } = clues;
  if (configured !== undefined) return { tokens: configured, source: "config" };
  const known = knownWindow(clues);
  // A metadata line names usage and maximum together; a usage above it is what it says.
  if (usedTokens <= known.tokens || known.tokens === metadata) return known;
  const larger = [STANDARD_WINDOW_TOKENS, LARGE_WINDOW_TOKENS].find((size) => usedTokens <= size);
  return larger === undefined ? known : { tokens: larger, source: "inferred" };
}

function knownWindow(clues: WindowClues): ContextWindow {
  const env = clues.env ?? ((): undefined => undefined);
  const limit = Number(env("CLAUDE_CODE_MAX_CONTEXT_TOKENS"));
  if (Number.isInteger(limit) && limit > 0) return { tokens: limit, source: "environment" };
  if (clues.recorded !== undefined) return { tokens: clues.recorded, source: "statusline" };
  if (clues.metadata !== undefined) return { tokens: clues.metadata, source: "metadata" };
  const { model } = clues;
  const match = model === undefined ? undefined : WINDOWS.find((row) => row.pattern.test(model));
  const tokens = match?.tokens ?? STANDARD_WINDOW_TOKENS;
  if (tokens > STANDARD_WINDOW_TOKENS && isSet(env("CLAUDE_CODE_DISABLE_1M_CONTEXT"))) {
    return { tokens: STANDARD_WINDOW_TOKENS, source: "environment" };
  }
  return { tokens, source: match === undefined ? "default" : "model" };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["0", "false", "no", "off"].includes(value.toLowerCase());
}
