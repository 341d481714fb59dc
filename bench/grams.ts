/**
 * Runs of words, by which the benches find what one text says of another.
 *
 * @module
 */

/** Lists every run of so many words, in small letters; of fewer words, all in one. */
export function gramsOf(text: string, size: number): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - size + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + size).join(" ")));
}
