/** Factor of work by a description's verb. */

/** A verb that makes a task cost more or less than its size. */
export type ComplexityKeyword = "refactor" | "implement" | "add" | "fix" | "update";

interface Complexity {
  /** Factor of its size, 1 or more. */
  readonly multiplier: number;
  /** The verb that decides it; null without one. */
  readonly keyword: ComplexityKeyword | null;
}

/** The verbs with their inflections, the costliest first. */
const KEYWORDS: readonly (readonly [ComplexityKeyword, number, RegExp])[] = [
  ["refactor", 2, wordPattern("refactor(?:s|ed|ings?)?")],
  ["implement", 1.5, wordPattern("implement(?:s|ed|ing|ations?)?")],
  ["add", 1.2, wordPattern("add(?:s|ed|ing)?")],
  ["fix", 1, wordPattern("fix(?:es|ed|ing)?")],
  ["update", 0.8, wordPattern("updat(?:es?|ed|ing)")],
];

/** A task costs at least its size. */
const MIN_MULTIPLIER = 1;

export function complexityOf(description: string): Complexity {
  for (const [keyword, weight, pattern] of KEYWORDS) {
    if (pattern.test(description)) return { multiplier: Math.max(MIN_MULTIPLIER, weight), keyword };
  }
  return { multiplier: MIN_MULTIPLIER, keyword: null };
}

/** Matches whole words; `\b` only knows the letters of English. */
function wordPattern(forms: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])(?:${forms})(?![\\p{L}\\p{M}\\p{N}_])`, "iu");
}
