/**
 * Runs of words, by which the benches find what one text says of another.
 *
 * @module
 */

/** Lists every four words that follow each other, in small letters; of fewer words, all in one. */
export function gramsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - 3);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + 4).join(" ")));
}
