/** Compares strings by the words they contain, to find repeated statements. */

import { pushNewest } from "../core/newest.ts";

/** Two strings count as repeated if the longer one contains at least this fraction of the shorter's words. */
const SAME_SHARE = 0.75;

/** Strings with fewer words count as repeated only if all their words are equal. */
const MIN_WORDS = 4;

export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}

/** Adds an item as the newest. If it repeats an earlier item, keeps the one with more detail. */
export function pushOnce<T extends { readonly words: ReadonlySet<string> }>(
  items: T[],
  item: T,
  detailOf: (item: T) => number,
  max: number,
): void {
  const at = items.findIndex(({ words }) => isSameText(item.words, words));
  const [earlier = item] = at < 0 ? [] : items.splice(at, 1);
  pushNewest(items, detailOf(earlier) > detailOf(item) ? earlier : item, max);
}

export function isSameText(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const [small, large] = first.size <= second.size ? [first, second] : [second, first];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  if (small.size < MIN_WORDS) return common === large.size;
  return common / small.size >= SAME_SHARE;
}
