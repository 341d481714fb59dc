/**
 * The words of a text, to tell whether two texts say the same.
 *
 * @module
 */

/** From this share of common words on two texts say the same. */
const SAME_SHARE = 0.75;

/** A text of fewer words says the same only as one of just these words. */
const MIN_WORDS = 4;

/**
 * Takes the words of a text.
 *
 * Permissions: none.
 *
 * @param text The text; bounded by the caller.
 * @returns Its words of two characters and more, in lower case.
 */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}

/**
 * Tells whether one of two texts says hardly more than the other.
 *
 * Permissions: none.
 *
 * @param one The words of a text.
 * @param other The words of another one.
 * @returns Whether the one with fewer words is held by the other.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isSameText, wordsOf } from "./word_set.ts";
 *
 * const long = wordsOf("Let's keep the index in one file, as before");
 * assertEquals(isSameText(wordsOf("keep the index in one file"), long), true);
 * assertEquals(isSameText(wordsOf("one file"), long), false);
 * ```
 */
export function isSameText(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  if (small.size < MIN_WORDS) return common === large.size;
  return common / small.size >= SAME_SHARE;
}
