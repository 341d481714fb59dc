import type { ContextConfig } from "../config/schema.ts";

/** Levels in ascending order, each with its lowest value, in percent or as a fraction. */
export type Ladder<Level extends string> = readonly (readonly [level: Level, from: number])[];

export type WarningLevel = "ok" | "warn" | "recommend" | "urgent";

export const WARNING_LEVELS: readonly WarningLevel[] = ["ok", "warn", "recommend", "urgent"];

/** Thresholds of the warning levels. */
export type ThresholdConfig = Pick<
  ContextConfig,
  "warn_threshold" | "recommend_threshold" | "urgent_threshold"
>;

export function warningLadder(config: ThresholdConfig): Ladder<WarningLevel> {
  return [
    ["ok", 0],
    ["warn", config.warn_threshold],
    ["recommend", config.recommend_threshold],
    ["urgent", config.urgent_threshold],
  ];
}

export function warningLevel(percent: number, config: ThresholdConfig): WarningLevel {
  return levelAt(percent, warningLadder(config));
}

export function levelAt<Level extends string>(value: number, ladder: Ladder<Level>): Level {
  const reached = ladder.findLast(([, from]) => value >= from);
  if (reached !== undefined) return reached[0];
  throw new RangeError(`Cannot determine the level: usage is ${value}, expected 0 or more`);
}
