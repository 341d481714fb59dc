export interface ClosestStringOptions {
  /** Whether `A` and `a` differ. */
  readonly caseSensitive?: boolean;
  /** Returns the distance between two words; counts edits of single characters by default. */
  readonly compareFn?: (a: string, b: string) => number;
}

/** Returns the word of `possibleWords` nearest to `givenWord`. Throws a TypeError if the list is empty. */
export function closestString(
  givenWord: string,
  possibleWords: readonly string[],
  options?: ClosestStringOptions,
): string;
