/** Options of `closestString`. */
export interface ClosestStringOptions {
  /** Whether `A` and `a` differ. */
  readonly caseSensitive?: boolean;
  /** The distance between two words; edits of single characters by default. */
  readonly compareFn?: (a: string, b: string) => number;
}

/** The word of `possibleWords` nearest to `givenWord`; throws a TypeError when there are none. */
export function closestString(
  givenWord: string,
  possibleWords: readonly string[],
  options?: ClosestStringOptions,
): string;
