/**
 * Patterns that tell what a sentence does.
 *
 * @module
 */

/** A row of a table of patterns. */
export interface StatementPattern {
  /** What it finds, for tests and for people. */
  readonly name: string;
  /** What it looks for, in a sentence or at the beginning of a message; never global. */
  readonly pattern: RegExp;
  /** Who has to say it. */
  readonly speaker: "user" | "assistant";
  /** Sentences that it must and must not find. */
  readonly examples: { readonly match: readonly string[]; readonly noMatch: readonly string[] };
}

/**
 * Finds the first pattern of a table that a sentence matches.
 *
 * Permissions: none.
 *
 * @param sentence The sentence.
 * @param table The patterns.
 * @param speaker Who said it.
 * @returns The pattern, or `undefined`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findStatement } from "./statement_pattern.ts";
 *
 * const table = [{
 *   name: "thanks",
 *   pattern: /^thanks\b/i,
 *   speaker: "user" as const,
 *   examples: { match: ["Thanks!"], noMatch: ["No thanks"] },
 * }];
 * assertEquals(findStatement("Thanks a lot", table, "user")?.name, "thanks");
 * assertEquals(findStatement("Thanks a lot", table, "assistant"), undefined);
 * ```
 */
export function findStatement(
  sentence: string,
  table: readonly StatementPattern[],
  speaker: StatementPattern["speaker"],
): StatementPattern | undefined {
  return table.find((row) => row.speaker === speaker && row.pattern.test(sentence));
}
