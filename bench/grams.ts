/**
 * Lists runs of words (n-grams), which the benches use to find shared text.
 *
 * @module
 */

/** Lists every run of `size` words in lower case. Shorter text is a single run. */
export function gramsOf(text: string, size: number): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - size + 1);
  return new Set(
    Array.from({ length: count }, (_, index) => words.slice(index, index + size).join(" ")),
  );
}
