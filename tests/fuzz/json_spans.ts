/**
 * Finds the positions of the values in a JSON text, even if the text is broken further on.
 *
 * @module
 */

export interface ValueSpan {
  start: number;
  end: number;
  /** The start of the key before the value, including the quote; -1 in a list and at the top. */
  keyStart: number;
  depth: number;
}

const MAX_SPANS = 4_000;

const SPACE_AND_PUNCTUATION = " \t\r\n,:";
const LITERAL = /[^\s,:[\]{}"]+/y;

/** Returns the values in the order of their starts, without values that have no end. */
export function valueSpans(text: string): ValueSpan[] {
  const spans: ValueSpan[] = [];
  const open: { span: ValueSpan; isObject: boolean }[] = [];
  let keyStart = -1;
  for (let at = 0; at < text.length && spans.length < MAX_SPANS;) {
    const char = text[at] ?? "";
    if (SPACE_AND_PUNCTUATION.includes(char)) {
      at++;
      continue;
    }
    if (char === "}" || char === "]") {
      const closed = open.pop();
      if (closed !== undefined) closed.span.end = at + 1;
      keyStart = -1;
      at++;
      continue;
    }
    const end = endOf(text, at);
    if (char === '"' && keyStart < 0 && open.at(-1)?.isObject === true) {
      keyStart = at;
      at = end;
      continue;
    }
    const isContainer = char === "{" || char === "[";
    const span = { start: at, end: isContainer ? -1 : end, keyStart, depth: open.length };
    spans.push(span);
    if (isContainer) open.push({ span, isObject: char === "{" });
    keyStart = -1;
    at = end;
  }
  return spans.filter(({ end }) => end > 0);
}

function endOf(text: string, start: number): number {
  const char = text[start];
  if (char === '"') return stringEnd(text, start);
  if (char === "{" || char === "[") return start + 1;
  LITERAL.lastIndex = start;
  return LITERAL.test(text) ? LITERAL.lastIndex : start + 1;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
