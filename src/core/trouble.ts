/** Finds the error lines of an output, the most informative first. */

import { errorMatcherFor } from "./error_lines.ts";

/** `end` is exclusive. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Only the end of a longer output is searched, in UTF-16 code units. */
const MAX_SCANNED_UNITS = 256 * 1024;

/** In UTF-16 code units. A longer line is data, not a report. */
const MAX_LINE_UNITS = 400;

const MAX_LINES = 300;

/** Indented lines that are included after a failure. */
const MAX_DETAILS = 2;

/**
 * Matches every line that `isErrorLine` accepts. One pass over the text is far cheaper than a check of each
 * line.
 */
const HINT =
  /err|fail|fatal|panic|excep|traceback|abort|assert|segfault|dumped|killed|no such|not found|denied|undefined|memory|not ok|[✗✘✖✕×❌⨯●✱]|\*\*\* |CONFLICT|:\d+: |:\d+:\d+|\(\d+,\d+\): |^\s*(?:E {2}|>{1,3} |\d+\) |#\d+ 0x)/gim;

/** Matches lines that name the failure. Other error lines only mention it. */
const FAILURE_NAME =
  /--- FAIL|^\s*FAIL\b|^\s*[✗✘✖✕×❌⨯●]|\bnot ok\b|^\s*E {2}|^\s*\d+\) |AssertionError|\bpanic|CONFLICT|\berror(?:\[\w+\])?:|_test\.\w+:\d+: |Error: /;

/** Lists error lines with the indented lines after each. Lines that name the failure come first. */
export function troubleIn(text: string): LineSpan[] {
  const naming: LineSpan[] = [];
  const others: LineSpan[] = [];
  const seen = new Set<string>();
  const isError = errorMatcherFor(text.includes("\n@@ -") ? ["@@ -"] : []);
  HINT.lastIndex = Math.max(0, text.length - MAX_SCANNED_UNITS);
  while (naming.length + others.length < MAX_LINES) {
    const hint = HINT.exec(text);
    if (hint === null) break;
    const line = lineAt(text, hint.index);
    HINT.lastIndex = line.end + 1;
    const content = text.slice(line.start, line.end);
    if (line.end - line.start > MAX_LINE_UNITS || seen.has(content) || !isError(content)) continue;
    seen.add(content);
    const details = indentedLinesAfter(text, line);
    HINT.lastIndex = (details.at(-1) ?? line).end + 1;
    (FAILURE_NAME.test(content) ? naming : others).push(line, ...details);
  }
  return [...naming, ...others];
}

function lineAt(text: string, position: number): LineSpan {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const end = text.indexOf("\n", position);
  return { start, end: end < 0 ? text.length : end };
}

function indentedLinesAfter(text: string, { start, end }: LineSpan): LineSpan[] {
  const details: LineSpan[] = [];
  const depth = indentAt(text, start);
  let position = end + 1;
  while (
    position < text.length && details.length < MAX_DETAILS && indentAt(text, position) > depth
  ) {
    const line = lineAt(text, position);
    if (line.end - line.start > MAX_LINE_UNITS) break;
    details.push(line);
    position = line.end + 1;
  }
  return details;
}

function indentAt(text: string, start: number): number {
  let position = start;
  while (text[position] === " " || text[position] === "\t") position++;
  return position - start;
}
