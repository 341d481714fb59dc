import type { ContextConfig } from "../config/schema.ts";

interface LadderStep<Level extends string> {
  readonly level: Level;
  /** Lowest value of the level, in the ladder's unit. */
  readonly at: number;
}

/** Levels in ascending order. Each ladder has its own unit: percent here, fractions elsewhere. */
export interface Ladder<Level extends string> {
  readonly base: Level;
  /** In ascending order. Two steps may start at the same value. */
  readonly steps: readonly LadderStep<Level>[];
}

export type WarningLevel = "ok" | "warn" | "recommend" | "urgent";

/** Highest threshold, in percent. The usage itself can be higher. */
const MAX_THRESHOLD = 100;

export const WARNING_LADDER: Ladder<WarningLevel> = createLadder("ok", [
  { level: "warn", at: 60 },
  { level: "recommend", at: 75 },
  { level: "urgent", at: 85 },
]);

/**
 * Creates a ladder from steps in ascending order.
 *
 * Two steps may start at the same value. The lower level then never applies,
 * which switches it off.
 *
 * @param base The level below the first step.
 * @param steps The steps in ascending order, each from 0 to 100.
 * @returns The ladder, frozen.
 * @throws {RangeError} When a threshold is not a number from 0 to 100, or is lower than the previous one.
 *
 * @example
 * ```ts
 * import { createLadder, levelAt } from "./ladder.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const ladder = createLadder("calm", [{ level: "busy", at: 40 }]);
 * assertEquals(levelAt(39, ladder), "calm");
 * assertEquals(levelAt(40, ladder), "busy");
 * ```
 */
export function createLadder<Level extends string>(
  base: Level,
  steps: readonly LadderStep<Level>[],
): Ladder<Level> {
  let before: LadderStep<Level> | null = null;
  for (const step of steps) {
    if (!(step.at >= 0 && step.at <= MAX_THRESHOLD)) {
      throw new RangeError(
        `Cannot build ladder: "${step.level}" is at ${step.at}, expected 0 to ${MAX_THRESHOLD}`,
      );
    }
    if (before !== null && step.at < before.at) {
      throw new RangeError(
        `Cannot build ladder: "${step.level}" at ${step.at} is below ` +
          `"${before.level}" at ${before.at}`,
      );
    }
    before = step;
  }
  return Object.freeze({
    base,
    steps: Object.freeze(steps.map((step) => Object.freeze({ ...step }))),
  });
}

/**
 * Returns the warning ladder with the configured thresholds.
 *
 * @param config The three thresholds, in percent.
 * @returns The ladder.
 * @throws {RangeError} When the thresholds are out of order. Those of a loaded configuration are in order.
 *
 * @example
 * ```ts
 * import { levelAt, warningLadder } from "./ladder.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const ladder = warningLadder({
 *   warn_threshold: 50,
 *   recommend_threshold: 70,
 *   urgent_threshold: 80,
 * });
 * assertEquals(levelAt(69, ladder), "warn");
 * ```
 */
export function warningLadder(
  config: Pick<ContextConfig, "warn_threshold" | "recommend_threshold" | "urgent_threshold">,
): Ladder<WarningLevel> {
  return createLadder<WarningLevel>("ok", [
    { level: "warn", at: config.warn_threshold },
    { level: "recommend", at: config.recommend_threshold },
    { level: "urgent", at: config.urgent_threshold },
  ]);
}

export function warningLevel(
  percent: number,
  config: Parameters<typeof warningLadder>[0],
): WarningLevel {
  return levelAt(percent, warningLadder(config));
}

/**
 * Returns the level for a value: the highest step that the value has reached.
 *
 * @param value The usage, 0 or more, in the ladder's unit; it may be over 100 percent.
 * @param ladder The levels.
 * @returns The level.
 * @throws {RangeError} When the value is negative or not a number.
 *
 * @example
 * ```ts
 * import { levelAt, WARNING_LADDER } from "./ladder.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(levelAt(59, WARNING_LADDER), "ok");
 * assertEquals(levelAt(60, WARNING_LADDER), "warn");
 * assertEquals(levelAt(140, WARNING_LADDER), "urgent");
 * ```
 */
export function levelAt<Level extends string>(value: number, ladder: Ladder<Level>): Level {
  if (!(value >= 0)) {
    throw new RangeError(`Cannot determine the level: usage is ${value}, expected 0 or more`);
  }
  let level = ladder.base;
  for (const step of ladder.steps) {
    if (value < step.at) break;
    level = step.level;
  }
  return level;
}
