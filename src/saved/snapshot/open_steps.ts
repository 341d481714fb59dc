/**
 * What is left of a list of steps.
 *
 * @module
 */

import type { Step } from "./snapshot.ts";

/** Lists what is still to do. */
export function openSteps(steps: readonly Step[]): string[] {
  return steps.filter(({ status }) => status !== "completed").map(({ step }) => step);
}
