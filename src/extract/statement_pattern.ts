/** Patterns that classify sentences. */

export interface StatementPattern {
  /** Name of the pattern, for tests and for people. */
  readonly name: string;
  /** Searches a sentence or the beginning of a message; never global. */
  readonly pattern: RegExp;
  readonly speaker: "user" | "assistant";
  readonly examples: { readonly match: readonly string[]; readonly noMatch: readonly string[] };
}

export function findStatement(
  sentence: string,
  table: readonly StatementPattern[],
  speaker: StatementPattern["speaker"],
): StatementPattern | undefined {
  return table.find((row) => row.speaker === speaker && row.pattern.test(sentence));
}
