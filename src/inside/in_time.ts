/** When a session that rests is trimmed without being asked: its window is full, or its cache is cold. */

import type { InsideConfig } from "../config/schema.ts";
import { contextPercent } from "../gauge/judge.ts";

/** Growth since the last trim below which there is not another one, in percent of the limit. */
const MIN_GROWN_PERCENT = 10;

/** A session that rests. */
export interface RestingSession {
  readonly tokens: number;
  /** Tokens that percentages are of. */
  readonly limit: number;
  /** Tokens that the last trim or undo left; `undefined` without one. */
  readonly lastAfter: number | undefined;
  /** Whether the next request rewrites the prompt cache. */
  readonly isCold: boolean;
}

/** Says why a session is trimmed now, as words behind "cut"; `undefined` if it is not. */
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
