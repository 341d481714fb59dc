/** Decides whether to trim an idle session: if usage is high, or if the prompt cache has expired. */

import type { InsideConfig } from "../config/schema.ts";
import { contextPercent } from "../gauge/judge.ts";

/** Minimum growth from `baseSize` before another trim, as a percentage of the limit. */
const MIN_GROWTH_OF_LIMIT_PERCENT = 10;

export interface IdleSession {
  readonly tokens: number;
  readonly limit: number;
  /**
   * Size from which growth is measured, in tokens: after the last trim or undo, or at the last check that
   * planned a trim; `undefined` if unknown.
   */
  readonly baseSize: number | undefined;
  /** Whether the prompt cache has expired, so that the next request writes it again. */
  readonly isCold: boolean;
}

/**
 * Returns the reason to trim now, phrased to follow "cut", such as `because the window passed 80%`. Returns
 * `undefined` if there is no reason.
 */
export function trimReason(
  { tokens, limit, baseSize, isCold }: IdleSession,
  { trim_at_percent: threshold, trim_when_cold: whenCold }: InsideConfig,
): string | undefined {
  if (baseSize !== undefined && (tokens - baseSize) * 100 < MIN_GROWTH_OF_LIMIT_PERCENT * limit) {
    return undefined;
  }
  if (isCold) return whenCold ? "since the prompt cache has expired (trim_when_cold)" : undefined;
  if (threshold === null || contextPercent(tokens, limit) < threshold) return undefined;
  return `because the window passed ${threshold}% (trim_at_percent)`;
}
