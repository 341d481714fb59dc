/** Where a percentage stands: the one function that turns usage and thresholds into a level. */

import type { ContextConfig } from "../config/schema.ts";

/** One step of a ladder: the level that holds from a value on. */
interface LadderStep<Level extends string> {
  /** The name of the level. */
  readonly level: Level;
  /** The value from which it holds, in the unit of the ladder. */
  readonly at: number;
}

/** Levels in ascending order. The unit is the ladder's own: percent here, fractions elsewhere. */
export interface Ladder<Level extends string> {
  /** The level below the first step. */
  readonly base: Level;
  /** The steps, each at or above the one before. */
  readonly steps: readonly LadderStep<Level>[];
}

/** The levels that people and hooks see. */
export type WarningLevel = "ok" | "warn" | "recommend" | "urgent";

/** The highest threshold: only a window can be over-full. */
const MAX_THRESHOLD = 100;

/** When people are warned: 60, 75 and 85 percent. */
export const WARNING_LADDER: Ladder<WarningLevel> = createLadder("ok", [
  { level: "warn", at: 60 },
  { level: "recommend", at: 75 },
  { level: "urgent", at: 85 },
]);

/**
 * A ladder whose steps are known to be in order.
 *
 * Two steps may have the same value: the lower level then never holds, which is how one is
 * switched off.
 *
 * @param base The level below the first step.
 * @param steps The steps in ascending order, each from 0 to 100.
 * @returns The ladder, frozen.
 * @throws {RangeError} When a threshold is not a number from 0 to 100, or lower than the one before.
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
 * The warning ladder with the thresholds that a user configured.
 *
 * @param config The three thresholds, in percent.
 * @returns The ladder.
 * @throws {RangeError} When the thresholds are out of order; a loaded configuration never is.
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

/** The level at which a percentage of the limit stands. */
export function warningLevel(
  percent: number,
  config: Parameters<typeof warningLadder>[0],
): WarningLevel {
  return levelAt(percent, warningLadder(config));
}

/**
 * The level at which a value stands: the highest step that it has reached.
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
    throw new RangeError(`Cannot tell the level: usage is ${value}, expected 0 or more`);
  }
  let level = ladder.base;
  for (const step of ladder.steps) {
    if (value < step.at) break;
    level = step.level;
  }
  return level;
}
