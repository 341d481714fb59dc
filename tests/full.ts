/**
 * Selects the tests that run only every night and before a release.
 *
 * @module
 */

/** Whether everything runs, whatever it takes; the gate's other steps are the same. */
export const IS_FULL = Deno.env.get("TRIMTAB_FULL") === "1";

/**
 * Takes some items from all over a list, and all of them in a full run.
 *
 * @param items Cases of one kind, of which a mistake would fail most.
 * @param count Number of cases in a gate.
 */
export function partOf<T>(items: readonly T[], count: number): readonly T[] {
  if (IS_FULL || count >= items.length) return items;
  return Array.from({ length: count }, (_, n) => items[Math.floor(n * items.length / count)] as T);
}

/** Registers a test that only a full run waits for: another test goes the same way in the gate. */
export function testInFull(test: Deno.TestDefinition): void {
  if (IS_FULL) Deno.test(test);
}
