/** Finds repetitions: lines that differ only in numbers and ids. */

import { isErrorLine } from "../core/error_lines.ts";

/** Longest repeated pattern, in lines. */
const MAX_PERIOD_LINES = 3;

const MIN_RUN_LINES = 4;

/** Lines are compared by this many leading UTF-16 code units. */
const MAX_KEY_CHARS = 200;

/** Matches numbers and ids, such as `12`, `0x1f` or `3f2a91c`. */
const VARIABLE = /\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,}\b|\d+/gi;

export function findRepeats(lines: readonly string[]): Uint8Array {
  // An error line counts as a repeat only of an identical line.
  const keys = lines.map((line) => isErrorLine(line) ? line : normalizedLine(line));
  const isRepeat = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length;) {
    const length = repeatedFrom(keys, at);
    if (length >= MIN_RUN_LINES) {
      // The last repeat is kept, because it shows how far the repetition went.
      isRepeat.fill(1, at, at + length - 1);
      at += length;
    } else {
      at += Math.max(1, length);
    }
  }
  return isRepeat;
}

export function normalizedLine(line: string): string {
  return line.slice(0, MAX_KEY_CHARS).replace(VARIABLE, "#");
}

function repeatedFrom(keys: readonly string[], at: number): number {
  let longest = 0;
  for (let period = 1; period <= MAX_PERIOD_LINES; period++) {
    let end = at;
    while (end < keys.length && end >= period && keys[end] === keys[end - period]) end++;
    longest = Math.max(longest, end - at);
  }
  return longest;
}
