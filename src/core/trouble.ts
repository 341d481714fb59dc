/** Finds the error lines of an output, the most informative first. */

import { errorMatcherFor } from "./error_lines.ts";

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

/**
 * Matches the lines that `isErrorLine` may accept; a line that this pattern misses is not checked. One pass
 * over the text is far cheaper than a check of each line. A colored line is always checked.
 */
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
