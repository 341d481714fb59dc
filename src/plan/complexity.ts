/** Determines a task's complexity factor from the verbs in its description. */

export type ComplexityKeyword = "refactor" | "implement" | "add" | "fix" | "update";

interface Complexity {
  /** Factor for the estimated tokens, 1 or more. */
  readonly multiplier: number;
  /** The verb that sets the factor; null if the description has no known verb. */
  readonly keyword: ComplexityKeyword | null;
}

/**
 * Verb, factor, and pattern of the verb's inflections. The highest factor comes first. A verb never reduces
 * an estimate.
 */
const KEYWORDS: readonly (readonly [ComplexityKeyword, number, RegExp])[] = [
  ["refactor", 2, wordPattern("refactor(?:s|ed|ings?)?")],
  ["implement", 1.5, wordPattern("implement(?:s|ed|ing|ations?)?")],
  ["add", 1.2, wordPattern("add(?:s|ed|ing)?")],
  ["fix", 1, wordPattern("fix(?:es|ed|ing)?")],
  ["update", 1, wordPattern("updat(?:es?|ed|ing)")],
];

export function complexityOf(description: string): Complexity {
  const found = KEYWORDS.find(([, , pattern]) => pattern.test(description));
  return { multiplier: found?.[1] ?? 1, keyword: found?.[0] ?? null };
}

/** Matches whole words. Does not use `\b`, which recognizes only ASCII letters. */
function wordPattern(forms: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])(?:${forms})(?![\\p{L}\\p{M}\\p{N}_])`, "iu");
}
