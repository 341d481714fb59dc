/** Finds a search pattern in text, and the lines of a file that can contain it. */

export interface TextMatch {
  index: number;
  length: number;
}

/** Characters searched at a time, so that the time of a regular expression grows with the text's length. */
const MAX_PART_CHARS = 4096;

/** Characters around a part that the expression also sees, to find matches across its borders. */
const MARGIN_CHARS = 512;

/** Matches characters that JSON escapes. */
// deno-lint-ignore no-control-regex
const ESCAPED = /["\\\x00-\x1f\ud800-\udfff]+/u;

export interface SearchPatternOptions {
  isRegex?: boolean;
  ignoreCase?: boolean;
}

export class SearchPattern {
  readonly #expression: RegExp;
  readonly #isRegex: boolean;
  readonly #needle: RegExp | null;

  /** @throws {SyntaxError} When the pattern is empty, or is a regular expression that cannot be used. */
  constructor(pattern: string, options: SearchPatternOptions = {}) {
    const { isRegex = false, ignoreCase = false } = options;
    if (pattern === "") throw new SyntaxError("Cannot search: the pattern is empty");
    this.#isRegex = isRegex;
    this.#expression = isRegex
      ? compile(pattern, ignoreCase)
      : new RegExp(RegExp.escape(pattern), ignoreCase ? "iu" : "");
    const literal = isRegex ? requiredLiteral(pattern) : pattern;
    const needle = longest((literal ?? "").split(ESCAPED));
    this.#needle = needle === ""
      ? null
      : new RegExp(RegExp.escape(needle), ignoreCase ? "giu" : "g");
  }

  find(text: string): TextMatch | null {
    return this.#isRegex ? findInParts(this.#expression, text) : firstMatch(this.#expression, text);
  }

  /** Finds the next position in unparsed lines that may belong to a match; -1 if there is none. */
  nextCandidate(text: string, from: number): number {
    if (this.#needle === null) return from < text.length ? from : -1;
    this.#needle.lastIndex = from;
    return this.#needle.exec(text)?.index ?? -1;
  }
}

const CLASSES = /\[(?:\\.|[^\]\\])*\]/gsu;
const GROUPS = /\((?:\\.|[^()\\])*\)/gsu;

const NON_LITERALS = /\\?.(?:[*?]\??|\{[^}]*\})|\\.|[.^$+*?]/gsu;

/** Matches escapes that may include the characters after them, such as `\u0041`. */
const LONG_ESCAPES = /\\[^dDwWsSbBnrtfv\W_]/u;

/** Returns a string that every match contains, to find candidate lines quickly; null if none is known. */
export function requiredLiteral(pattern: string): string | null {
  if (LONG_ESCAPES.test(pattern)) return null;
  let rest = pattern.replaceAll(CLASSES, "\0");
  for (let before = ""; rest !== before;) {
    before = rest;
    rest = rest.replaceAll(GROUPS, "\0");
  }
  const best = /[|()[\]]/.test(rest)
    ? ""
    : longest(rest.replaceAll(NON_LITERALS, "\0").split("\0"));
  // A single character occurs in nearly every line.
  return best.length < 2 ? null : best;
}

function compile(pattern: string, ignoreCase: boolean): RegExp {
  const flags = ignoreCase ? "gim" : "gm";
  let expression: RegExp;
  try {
    expression = newExpression(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`Cannot search: ${reason}`);
  }
  if (expression.test("")) {
    throw new SyntaxError(
      `Cannot search: the regular expression ${pattern} also matches an empty string`,
    );
  }
  return expression;
}

/** Falls back to the lenient syntax, which allows needless escapes such as `\-`. */
function newExpression(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    return new RegExp(pattern, flags);
  }
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => part.length > best.length ? part : best, "");
}

function findInParts(expression: RegExp, text: string): TextMatch | null {
  for (let start = 0;;) {
    const end = endOfPart(text, start);
    const from = Math.max(0, start - MARGIN_CHARS);
    const found = firstMatch(expression, text.slice(from, end + MARGIN_CHARS), start - from);
    const index = from + (found?.index ?? 0);
    const isLast = end === text.length;
    if (found !== null && (index < end || isLast)) return { ...found, index };
    if (isLast) return null;
    start = end;
  }
}

/** Prefers the end of a line, so that a match of a whole line is found even if it is longer than a margin. */
function endOfPart(text: string, start: number): number {
  const limit = start + MAX_PART_CHARS;
  if (limit >= text.length) return text.length;
  const newline = start + text.slice(start, limit).lastIndexOf("\n");
  // Ignores a newline near the start, because a short part would consist mostly of its margins, which are
  // searched twice.
  return newline > start + 2 * MARGIN_CHARS ? newline : limit;
}

function firstMatch(expression: RegExp, text: string, from = 0): TextMatch | null {
  expression.lastIndex = from;
  const found = expression.exec(text);
  return found === null ? null : { index: found.index, length: found[0].length };
}
