/**
 * What is left of a list of steps.
 *
 * @module
 */

import type { Step } from "./snapshot.ts";

/**
 * Lists what is still to do.
 *
 * Permissions: none.
 *
 * @param steps All steps.
 * @returns The words of those that are not done, in their order.
 */
export function openSteps(steps: readonly Step[]): string[] {
  return steps.filter(({ status }) => status !== "completed").map(({ step }) => step);
}
