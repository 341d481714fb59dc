/** Finds lines that report an error. The patterns are broad, because a missed error line would be lost. */

// deno-lint-ignore no-control-regex
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;

const ERROR_PATTERNS = [
  /\b(?:errors?|ERR!|fail(?:s|ed|ing|ures?)?|fatal|panic(?:ked|s)?|exceptions?|traceback|abort(?:s|ed|ing)?|assertions?|segmentation fault|segfault|core dumped|killed|no such file|command not found|permission denied|undefined (?:reference|symbol|:)|out of memory|not ok)(?![A-Za-z])/i,
  // Class names: `TypeError: x`, `java.lang.IllegalStateException`, `expectedError:`.
  /[A-Za-z](?:Error|Exception|Failure|Panic)\b/,
  // Symbols and numbers at the start of a failure: `✗`, pytest's `E   `, Mocha's `1)`, a debugger's `#0 0x`.
  /^\s*(?:[✗✘✖✕×❌⨯●✱]|E {2,}|>{1,3} |\d+\) |#\d+ 0x)|[✗✘✖✕❌⨯]/u,
  // Locations of errors: `a.go:31:45: `, `a.ts(217,9): `, `a_test.go:453: `.
  /(?:^|\s)[^\s:()]+(?::\d+:\d+:? |\(\d+,\d+\): )|^\s+\S+_test\.\w+:\d+: /,
  // `make: *** [x] Error 1`, `CONFLICT (content)`, `undefined: x`.
  /\*\*\* |^CONFLICT \(|^\S* ?undefined: |[:\s]undefined: /,
];

/** Matches lines about passed or started tests, whose names can contain error words. */
const PASSED_TEST =
  /^\s*(?:ok\b|PASS(?:ED)?\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)\b|[✓✔√]|ok \d+ )|\.\.\. (?:.\[\d+m)?ok\b|\bPASSED\b(?!.*FAIL)/u;

/** Matches an error in a line that begins like a passed test, such as `ok POST /pay error: declined`. */
const CERTAIN_ERROR =
  /\b(?:error|exception|fatal|panic|failure|failed)s?:\s|[a-z](?:Error|Exception):\s|\b[1-9]\d* (?:\w+ ){0,2}failed\b/i;

/** In characters. Longer lines are data, so only their start is matched. */
const MAX_CHECKED_CHARS = 4_000;

export function plainLine(line: string): string {
  return line.includes("\x1b") ? line.replace(ANSI, "") : line;
}

export function isPassingLine(line: string): boolean {
  return isPassing(plainLine(line.slice(0, MAX_CHECKED_CHARS)));
}

function isPassing(text: string): boolean {
  return PASSED_TEST.test(text) && !CERTAIN_ERROR.test(text);
}

export function isErrorLine(line: string): boolean {
  const text = plainLine(line.slice(0, MAX_CHECKED_CHARS));
  return ERROR_PATTERNS.some((pattern) => pattern.test(text)) && !isPassing(text);
}

/** Returns a matcher for error lines. In a diff, lines of file content never match. */
export function errorMatcherFor(lines: readonly string[]): (line: string) => boolean {
  return lines.some((line) => line.startsWith("@@ -")) ? isErrorOutsideDiff : isErrorLine;
}

function isErrorOutsideDiff(line: string): boolean {
  return !/^(?:[-+ \\]|@@ |diff |index )/.test(line) && isErrorLine(line);
}

export interface TextLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** In UTF-16 code units. Only the end of a longer output is searched. */
const MAX_SCANNED_UNITS = 256 * 1024;

/** In UTF-16 code units. A longer line is data, not a report. */
const MAX_LINE_UNITS = 400;

const MAX_LINES = 300;

const MAX_DETAILS = 2;

/** Matches candidates for `isErrorLine()` in one pass, which is far cheaper than testing every line. */
const POSSIBLE_ERROR =
  // deno-lint-ignore no-control-regex
  /\x1b|err|fail|fatal|panic|excep|traceback|abort|assert|segmentation|segfault|dumped|killed|no such|not found|denied|undefined|memory|not ok|[✗✘✖✕×❌⨯●✱]|\*\*\* |CONFLICT|:\d+: |:\d+:\d+|\(\d+,\d+\): |^[^\S\r\n\u2028\u2029]*(?:E {2}|>{1,3} |\d+\) |#\d+ 0x)/gim;

/** Matches lines that identify a failure. Other error lines may only mention one. */
const FAILURE_NAME =
  /--- FAIL|^\s*FAIL\b|^\s*[✗✘✖✕×❌⨯●]|\bnot ok\b|^\s*E {2}|^\s*\d+\) |AssertionError|\bpanic|CONFLICT|\berror(?:\[\w+\])?:|_test\.\w+:\d+: |Error: /;

export function errorLinesIn<Line extends TextLine>(text: string, lines: readonly Line[]): Line[] {
  const failures: Line[] = [];
  const others: Line[] = [];
  const seen = new Set<string>();
  const isError = errorMatcherFor(text.includes("\n@@ -") ? ["@@ -"] : []);
  let index = 0;
  POSSIBLE_ERROR.lastIndex = Math.max(0, text.length - MAX_SCANNED_UNITS);
  while (failures.length + others.length < MAX_LINES) {
    const hint = POSSIBLE_ERROR.exec(text);
    if (hint === null) break;
    while (hint.index > (lines[index]?.end ?? Infinity)) index++;
    const line = lines[index];
    if (line === undefined) break;
    POSSIBLE_ERROR.lastIndex = line.end + 1;
    if (line.text.length > MAX_LINE_UNITS || seen.has(line.text) || !isError(line.text)) continue;
    seen.add(line.text);
    const next = lines.slice(index + 1, index + 1 + MAX_DETAILS);
    const end = next.findIndex((detail) =>
      indentOf(detail) <= indentOf(line) || detail.text.length > MAX_LINE_UNITS
    );
    const found = [line, ...next.slice(0, end < 0 ? next.length : end)];
    POSSIBLE_ERROR.lastIndex = (found.at(-1) ?? line).end + 1;
    (FAILURE_NAME.test(line.text) ? failures : others).push(...found);
  }
  return [...failures, ...others];
}

function indentOf({ text }: TextLine): number {
  return text.search(/[^ \t]|$/);
}
