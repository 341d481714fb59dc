/** Compares strings by the words they contain, to find repeated statements. */

/** Two strings with at least this share of their words in common count as repeated. */
const SAME_SHARE = 0.75;

/** Strings with fewer words count as repeated only if all their words are equal. */
const MIN_WORDS = 4;

export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}

export function isSameText(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const [small, large] = first.size <= second.size ? [first, second] : [second, first];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  if (small.size < MIN_WORDS) return common === large.size;
  return common / small.size >= SAME_SHARE;
}
