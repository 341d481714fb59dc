/**
 * Finds the positions of values in JSON text without parsing it; -1 if there is none. For byte positions,
 * decode the bytes as Latin-1. Strings are skipped with the engine's own search, which is faster.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Skips JSON white space and byte order marks. A byte order mark may be decoded as UTF-8 or as Latin-1. */
export function skipSpace(text: string, position: number, end: number): number {
  while (position < end) {
    const code = text.charCodeAt(position);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff) {
      position++;
    } else if (code === 0xef && text.startsWith("\u00bb\u00bf", position + 1)) {
      position += 3;
    } else {
      break;
    }
  }
  return position;
}

function skipString(text: string, position: number, end: number): number {
  let from = position + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote >= end) return -1;
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // After an even number of backslashes, the quote is not escaped and closes the string.
    if (((quote - before) & 1) === 1) return quote + 1;
    from = quote + 1;
  }
}

export function skipValue(text: string, position: number, end: number): number {
  const first = text.charCodeAt(position);
  if (first === QUOTE) return skipString(text, position, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(text, position, end);
  let i = position;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20) break;
    i++;
  }
  return i === position ? -1 : i;
}

function skipNested(text: string, position: number, end: number): number {
  let depth = 0;
  let i = position;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = skipString(text, i, end);
      if (i < 0) return -1;
      continue;
    }
    i++;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return i;
  }
  return -1;
}

export function memberAt(text: string, object: number, end: number, key: string): number {
  let found = -1;
  let position = text.charCodeAt(object) === OPEN_BRACE ? skipSpace(text, object + 1, end) : end;
  while (position < end && text.charCodeAt(position) === QUOTE) {
    const keyEnd = skipString(text, position, end);
    const colon = keyEnd < 0 ? end : skipSpace(text, keyEnd, end);
    if (text.charCodeAt(colon) !== COLON) break;
    const value = skipSpace(text, colon + 1, end);
    if (text.slice(position + 1, keyEnd - 1) === key) found = value;
    const next = skipValue(text, value, end);
    const comma = next < 0 ? end : skipSpace(text, next, end);
    if (text.charCodeAt(comma) !== COMMA) break;
    position = skipSpace(text, comma + 1, end);
  }
  return found;
}
