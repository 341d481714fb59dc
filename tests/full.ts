/**
 * Selects the tests that run only every night and before a release.
 *
 * @module
 */

/** Whether the tests that take long run, too; the gate's other steps are the same. */
export const IS_FULL = Deno.env.get("TRIMTAB_FULL") === "1";

/**
 * Takes some items from all over a list, or all of them in a full run.
 *
 * @param items Cases of one kind, of which most would fail by the same mistake.
 */
export function partOf<T>(items: readonly T[], count: number): readonly T[] {
  if (IS_FULL || count >= items.length) return items;
  return Array.from({ length: count }, (_, n) => items[Math.floor(n * items.length / count)] as T);
}

/** Registers a test that runs only in a full run, since a test in the gate covers the same code. */
export function testInFull(test: Deno.TestDefinition): void {
  if (IS_FULL) Deno.test(test);
}
