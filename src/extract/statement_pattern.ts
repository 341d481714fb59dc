/** Patterns that classify sentences. */

export interface StatementPattern {
  /** Name of the pattern, for tests and readers. */
  readonly name: string;
  /** Matches a sentence or the start of a message; never global. */
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
