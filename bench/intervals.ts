/**
 * Computes confidence intervals from random draws of groups, such as sessions or projects. Groups are drawn
 * instead of moments, because the moments of a group resemble each other.
 */

import { randomFrom } from "../tools/random.ts";

export const DRAWS = 2_000;

/** Share of the draws that lie inside an interval. */
export const SHARE = 0.9;

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Computes figures with their intervals (bootstrap by group, deterministic for the same groups).
 *
 * @param groups The sums of each group.
 * @param total Adds up the sums of groups.
 * @param figures Computes the figures from a total.
 */
export function intervalsOf<T, K extends string>(
  groups: readonly T[],
  total: (groups: readonly T[]) => T,
  figures: Readonly<Record<K, (sum: T) => number>>,
): Record<K, Interval> {
  const random = randomFrom(1);
  const whole = total(groups);
  const draws = Array.from(
    { length: DRAWS },
    () => total(groups.map(() => groups[Math.floor(random() * groups.length)] as T)),
  );
  const interval = (figure: (sum: T) => number): Interval => {
    const values = draws.map(figure).sort((a, b) => a - b);
    const quantile = (share: number): number =>
      values[Math.floor(share * (values.length - 1))] ?? 0;
    return {
      value: figure(whole),
      low: quantile((1 - SHARE) / 2),
      high: quantile((1 + SHARE) / 2),
    };
  };
  const all = Object.entries<(sum: T) => number>(figures);
  return Object.fromEntries(all.map(([key, figure]) => [key, interval(figure)])) as Record<
    K,
    Interval
  >;
}
