/** What is left of a list of steps. */

/** Lists what is still to do. */
export function openSteps(
  steps: readonly { readonly step: string; readonly status: string }[],
): string[] {
  return steps.filter(({ status }) => status !== "completed").map(({ step }) => step);
}
