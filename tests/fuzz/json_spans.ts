/**
 * Finds the positions of the values in a JSON text, even if the text is broken further on.
 *
 * @module
 */

export interface ValueSpan {
  start: number;
  end: number;
  /** The start of the key before the value, including the quote; -1 in a list and at the top level. */
  keyStart: number;
  depth: number;
}

const MAX_SPANS = 4_000;

const SPACE_AND_PUNCTUATION = " \t\r\n,:";
const LITERAL = /[^\s,:[\]{}"]+/y;

/** Returns the values ordered by start, without lists and objects that are not closed. */
export function valueSpans(text: string): ValueSpan[] {
  const spans: ValueSpan[] = [];
  const open: { span: ValueSpan; isObject: boolean }[] = [];
  let keyStart = -1;
  for (let position = 0; position < text.length && spans.length < MAX_SPANS;) {
    const char = text[position] ?? "";
    if (SPACE_AND_PUNCTUATION.includes(char)) {
      position++;
      continue;
    }
    if (char === "}" || char === "]") {
      const closed = open.pop();
      if (closed !== undefined) closed.span.end = position + 1;
      keyStart = -1;
      position++;
      continue;
    }
    const end = endOf(text, position);
    if (char === '"' && keyStart < 0 && open.at(-1)?.isObject === true) {
      keyStart = position;
      position = end;
      continue;
    }
    const isContainer = char === "{" || char === "[";
    const span = { start: position, end: isContainer ? -1 : end, keyStart, depth: open.length };
    spans.push(span);
    if (isContainer) open.push({ span, isObject: char === "{" });
    keyStart = -1;
    position = end;
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
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === "\\") position++;
    else if (text[position] === '"') return position + 1;
  }
  return text.length;
}
