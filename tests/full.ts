/** Selects the tests that run only every night and before a release. */

/** Whether this is a full run, which includes the slow tests. */
export const IS_FULL = Deno.env.get("TRIMTAB_FULL") === "1";

/** Prefix of each output line about tests left out of a run; the gate repeats these lines. */
export const LEFT_OUT = "left to full runs: ";

/**
 * Returns `count` items spread evenly over a list, or all items in a full run.
 *
 * @param items Similar cases, most of which would fail for the same reason.
 * @param what Describes the items, for the line that reports how many are left out.
 */
export function partOf<T>(items: readonly T[], count: number, what: string): readonly T[] {
  if (IS_FULL || count >= items.length) return items;
  leaveOut(`${items.length - count} of ${items.length} ${what}`);
  return Array.from({ length: count }, (_, n) => items[Math.floor(n * items.length / count)] as T);
}

/**
 * Returns how many times to run a slow test with different values: `count` in a full run, else `inGate`.
 *
 * @param what Describes the repetitions, for the line that reports how many are left out.
 */
export function runsOf(count: number, inGate: number, what: string): number {
  if (IS_FULL) return count;
  leaveOut(`${count - inGate} of ${count} ${what}`);
  return inGate;
}

/** Registers a test for full runs only; other tests, which the gate runs, cover the same code. */
export function testInFull(test: Deno.TestDefinition): void {
  if (IS_FULL) Deno.test(test);
  else leaveOut(test.name);
}

/** Prints a line about tests left out of this run. */
function leaveOut(what: string): void {
  console.log(`${LEFT_OUT}${what}`);
}
