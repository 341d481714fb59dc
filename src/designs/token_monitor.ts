import { type Ladder, levelAt } from "../gauge/ladder.ts";

/** The levels of the token monitor. */
export type MonitorLevel = "ok" | "consider" | "recommended" | "urgent";

/** Default window of a monitor, in tokens. */
export const DEFAULT_MAX_TOKENS = 1_000_000;

/** The monitor's thresholds, as fractions of the window. All usage below `consider` is `ok`. */
export const THRESHOLDS: Readonly<Record<MonitorLevel, number>> = Object.freeze({
  ok: 0.5,
  consider: 0.7,
  recommended: 0.85,
  urgent: 0.95,
});

const MONITOR_LADDER: Ladder<MonitorLevel> = [
  ["ok", 0],
  ["consider", THRESHOLDS.consider * 100],
  ["recommended", THRESHOLDS.recommended * 100],
  ["urgent", THRESHOLDS.urgent * 100],
];

/** Recommendations of the monitor. */
export type MonitorRecommendation =
  | "ok"
  | "consider_snapshot"
  | "snapshot_recommended"
  | "snapshot_urgent";

/** The usage of a window, and the recommendation. */
export interface UsageStats {
  /** The tokens in context. */
  readonly current_tokens: number;
  /** The size of the window in tokens. */
  readonly max_tokens: number;
  /** Usage as a percentage of the window, not rounded; over 100 if the window is exceeded. */
  readonly percentage: number;
  /** The level of the usage. */
  readonly threshold_status: MonitorLevel;
  /** The recommended action, in a sentence. */
  readonly recommendation: string;
}

const RECOMMENDATIONS: Readonly<Record<MonitorLevel, MonitorRecommendation>> = Object.freeze({
  ok: "ok",
  consider: "consider_snapshot",
  recommended: "snapshot_recommended",
  urgent: "snapshot_urgent",
});

const SENTENCES: Readonly<Record<MonitorLevel, string>> = Object.freeze({
  ok: "Context is healthy. No action needed.",
  consider: "Context is filling up. Consider a snapshot at the next good stopping point.",
  recommended:
    "Context is nearly full. Create a snapshot now, while all details are still available.",
  urgent:
    "Context is almost exhausted. Create a snapshot at once, before compaction drops details.",
});

/**
 * Turns token counts into usage, a level and a recommendation.
 *
 * @example
 * ```ts
 * import { TokenMonitor } from "./token_monitor.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const usage = new TokenMonitor().checkUsage(45_000);
 * assertEquals(usage.percentage, 4.5);
 * assertEquals(usage.recommendation, "Context is healthy. No action needed.");
 * ```
 */
export class TokenMonitor {
  /** The size of the window in tokens. */
  readonly maxTokens: number;
  /** The thresholds as fractions of the window. */
  readonly thresholds: Readonly<Record<MonitorLevel, number>> = THRESHOLDS;
  #currentUsage = 0;

  /**
   * Creates a monitor for a window, in tokens.
   *
   * @throws {RangeError} When the size is not a positive number.
   */
  constructor(maxTokens: number = DEFAULT_MAX_TOKENS) {
    if (!Number.isFinite(maxTokens) || maxTokens <= 0) {
      throw new RangeError(
        `Cannot monitor tokens: the window is ${maxTokens}, expected a number above 0`,
      );
    }
    this.maxTokens = maxTokens;
  }

  /** The tokens from the newest check; 0 before the first. */
  get currentUsage(): number {
    return this.#currentUsage;
  }

  /**
   * Measures a token count against the window.
   *
   * @throws {RangeError} When the count is negative or not a number.
   */
  checkUsage(currentTokens: number): UsageStats {
    // Multiplies first, so that a count exactly at a threshold yields exactly that percentage.
    const percentage = (currentTokens * 100) / this.maxTokens;
    const status = levelAt(percentage, MONITOR_LADDER);
    this.#currentUsage = currentTokens;
    return {
      current_tokens: currentTokens,
      max_tokens: this.maxTokens,
      percentage,
      threshold_status: status,
      recommendation: SENTENCES[status],
    };
  }

  /**
   * Recommends an action for a percentage of the window, as a keyword.
   *
   * @throws {RangeError} When the percentage is negative or not a number.
   */
  getRecommendation(percentage: number): MonitorRecommendation {
    return RECOMMENDATIONS[levelAt(percentage, MONITOR_LADDER)];
  }
}
