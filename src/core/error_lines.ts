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

/** In a diff, lines of file content do not count as errors. */
export function errorMatcherFor(lines: readonly string[]): (line: string) => boolean {
  return lines.some((line) => line.startsWith("@@ -")) ? isErrorOutsideDiff : isErrorLine;
}

function isErrorOutsideDiff(line: string): boolean {
  return !/^(?:[-+ \\]|@@ |diff |index )/.test(line) && isErrorLine(line);
}
