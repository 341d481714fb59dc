/** Decides when an idle session is trimmed automatically: when its window is full or its cache is cold. */

import type { InsideConfig } from "../config/schema.ts";
import { contextPercent } from "../gauge/judge.ts";

/** Minimum growth since the last trim for another one, in percent of the limit. */
const MIN_GROWN_PERCENT = 10;

export interface RestingSession {
  readonly tokens: number;
  /** The base of percentages. */
  readonly limit: number;
  /** Tokens left by the last trim or undo; `undefined` without one. */
  readonly lastAfter: number | undefined;
  /** Whether the next request rewrites the prompt cache. */
  readonly isCold: boolean;
}

/** Explains why to trim now, as words to follow "cut"; `undefined` if there is no reason. */
export function whyTrimNow(
  { tokens, limit, lastAfter, isCold }: RestingSession,
  { trim_at_percent: at, trim_when_cold: whenCold }: InsideConfig,
): string | undefined {
  if (lastAfter !== undefined && (tokens - lastAfter) * 100 < MIN_GROWN_PERCENT * limit) {
    return undefined;
  }
  if (isCold) return whenCold ? "since the prompt cache has expired (trim_when_cold)" : undefined;
  const percent = contextPercent(tokens, limit);
  if (at === null || percent < at) return undefined;
  return `at ${percent}% (trim_at_percent = ${at})`;
}
