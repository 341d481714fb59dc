/** Counts characters as Unicode code points, so that no surrogate pair is ever split. */

const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

export function countChars(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

export function indexOfChar(text: string, chars: number): number {
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
