/**
 * Walks JSON text: finds where keys and values stand without parsing them, so that a value can be
 * replaced while the rest of a line stays what it was.
 *
 * Positions are those of the text that is given. Who needs positions of bytes gives the bytes as
 * Latin-1, one character a byte: JSON's own signs are ASCII, so the walk is the same, and strings
 * are skipped by the engine's own search, which no loop over bytes comes near.
 *
 * The walk trusts brackets, quotes and backslashes and checks nothing else; a text that it can walk
 * may still be refused by `JSON.parse`. Where it cannot go on it answers `-1`.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Skips JSON white space, and a byte order mark where one stands, decoded or as Latin-1. */
export function skipSpace(text: string, at: number, end: number): number {
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff) {
      at++;
    } else if (code === 0xef && text.startsWith("\u00bb\u00bf", at + 1)) {
      at += 3;
    } else {
      break;
    }
  }
  return at;
}

export function skipString(text: string, at: number, end: number): number {
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote >= end) return -1;
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escape one another; the quote then closes the string.
    if (((quote - before) & 1) === 1) return quote + 1;
    from = quote + 1;
  }
}

export function skipValue(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(text, at, end);
  let i = at;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20) break;
    i++;
  }
  return i === at ? -1 : i;
}

function skipNested(text: string, at: number, end: number): number {
  let depth = 0;
  let i = at;
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

/** Goes over the members of one object, in order. */
export class MemberWalker {
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  /** After the last member: the position behind the closing brace; `-1` when the walk broke off. */
  objectEnd = -1;

  #text = "";
  #end = 0;
  #at = 0;
  #valueEnd = 0;
  #isFirst = true;

  start(text: string, at: number, end: number): boolean {
    this.#text = text;
    this.#end = end;
    this.#at = at + 1;
    this.#isFirst = true;
    this.#valueEnd = 0;
    this.objectEnd = -1;
    return at < end && text.charCodeAt(at) === OPEN_BRACE;
  }

  next(): boolean {
    const text = this.#text;
    const end = this.#end;
    let at = this.#isFirst ? this.#at : this.skip();
    if (at < 0) return false;
    at = skipSpace(text, at, end);
    const code = text.charCodeAt(at);
    if (code === CLOSE_BRACE && at < end) {
      this.objectEnd = at + 1;
      return false;
    }
    if (!this.#isFirst) {
      if (code !== COMMA) return false;
      at = skipSpace(text, at + 1, end);
    }
    if (at >= end || text.charCodeAt(at) !== QUOTE) return false;
    const afterKey = skipString(text, at, end);
    if (afterKey < 0) return false;
    this.keyStart = at + 1;
    this.keyEnd = afterKey - 1;
    at = skipSpace(text, afterKey, end);
    if (text.charCodeAt(at) !== COLON) return false;
    this.valueStart = skipSpace(text, at + 1, end);
    this.#isFirst = false;
    this.#valueEnd = 0;
    return this.valueStart < end;
  }

  /** Finds the end of the current value. Called by {@linkcode next} where the caller did not. */
  skip(): number {
    if (this.#valueEnd === 0) this.#valueEnd = skipValue(this.#text, this.valueStart, this.#end);
    return this.#valueEnd;
  }

  /** Tells where the current value ends, for a caller that walked it by itself. */
  skipTo(end: number): void {
    this.#valueEnd = end;
  }

  keyIs(key: string): boolean {
    return this.keyEnd - this.keyStart === key.length && this.#text.startsWith(key, this.keyStart);
  }
}

/** Finds a key's value as a parser reads it: of two members with one name, the last. */
export function memberAt(text: string, object: number, end: number, key: string): number {
  const walker = new MemberWalker();
  if (!walker.start(text, object, end)) return -1;
  let found = -1;
  while (walker.next()) {
    if (walker.keyIs(key)) found = walker.valueStart;
  }
  return found;
}
