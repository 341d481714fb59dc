/** Counts characters as Unicode code points, so that no surrogate pair is ever split. */

/** Most text contains no surrogate, and this search is faster than a loop over all characters. */
const SURROGATE = /[\ud800-\udfff]/;

export function countChars(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let i = 1; i < text.length; i++) {
    if (isPairAt(text, i)) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/** Counts the characters only if comparing the number of code units is inconclusive. */
export function isLonger(text: string, chars: number): boolean {
  return text.length > chars && (text.length > 2 * chars || countChars(text) > chars);
}

export function indexOfChar(text: string, chars: number): number {
  if (!SURROGATE.test(text.slice(0, chars))) return Math.min(chars, text.length);
  let index = 0;
  for (let i = 0; i < chars && index < text.length; i++) index += isPairAt(text, index + 1) ? 2 : 1;
  return index;
}

/** Returns the index `chars` characters before `end`; negative if the text is too short. */
export function indexBefore(text: string, end: number, chars: number): number {
  if (chars > end) return -1;
  let index = end;
  for (let i = 0; i < chars && index >= 0; i++) index -= isPairAt(text, index - 1) ? 2 : 1;
  return index;
}

/** A line break at the end of the text does not start another line. */
export function countLines(text: string): number {
  return text.split("\n").length - Number(text === "" || text.endsWith("\n"));
}

function isPairAt(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
}
