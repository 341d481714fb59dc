export interface StatementPattern {
  readonly name: string;
  /** Must not be global, because `test` would then continue after the last match. */
  readonly pattern: RegExp;
  readonly speaker: "user" | "assistant";
}

export function findStatement(
  sentence: string,
  table: readonly StatementPattern[],
  speaker: StatementPattern["speaker"],
): StatementPattern | undefined {
  return table.find((row) => row.speaker === speaker && row.pattern.test(sentence));
}
