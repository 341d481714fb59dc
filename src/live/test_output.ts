/** Shapes test and build output: omits passed tests, which are found by patterns common to all runners. */

import { isErrorLine, isPassingLine, plainLine } from "../core/error_lines.ts";
import { troubleOf } from "./logs.ts";
import { NEWLINE } from "./marks.ts";
import { findRepeats } from "./repeats.ts";
import { fromBothEnds, selectLines } from "./select_lines.ts";

/** Matches counts at the end, such as `3 passed`, and headings of failures. */
const SUMMARY = new RegExp(
  [
    "\\b\\d+ (?:passed|passing|failed|failing|skipped|pending|ignored|todo|tests?|suites?|examples?)\\b",
    "^(?:Test Files|Tests?|Test Suites|Suites|Snapshots|Time|Ran all|Duration|Total|running \\d+ tests?)\\b[: ]",
    "\\btest result: ",
    "^=+ .* =+$",
    "\\b\\d+ (?:errors?|warnings?|problems?|issues)\\b",
    "^(?:FAILURES|FAILED|SUCCESS|BUILD \\w+|OK \\(|Tests run:|exit status)",
    "^(?:# (?:tests|pass|fail)|1\\.\\.\\d+)",
    "^\\[?(?:INFO|ERROR)\\]? (?:BUILD|Tests run|Total time)",
  ].join("|"),
);

/** Matches successful steps of a build, such as `Compiling serde`. */
const STEP =
  /^\s*(?:(?:Compil|Download|Check|Fresh|Updat|Add|Install|Build|Link|Lock|Creat)(?:ing|ed|s)?\b|\[\s*\d+(?:%|\/\d+)\]|\[INFO\]|> Task :|make(?:\[\d+\])?: (?:Entering|Leaving)|(?:gcc|g\+\+|cc|c\+\+|clang|rustc|go|ld|ar) -|CC |CXX |LD |AR |\?\s+\S+\s+\[no test files\]|[.FEsx]{20,}|\S+ \.\.\. ok)/;

/** Text with fewer matching lines is not test or build output. */
const MIN_SIGNS = 5;

const MIN_SHARE = 0.05;

/** Longest failure report that is kept together, in lines. */
const MAX_REPORT = 60;

const LINES_BEFORE_FAILURE = 3;

export function shapeTestOutput(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE);
  if (!isTestOutput(lines)) return text;
  const isFine = lines.map((line) => isPassingLine(line) || STEP.test(plainLine(line)));
  const trouble = troubleOf(lines);
  const must = [...trouble, ...summariesOf(lines)].sort((a, b) => a - b);
  const about = (from: number, to: number): string => {
    const passing = isFine.slice(from, to).filter(Boolean).length;
    return passing === 0 ? "" : `${passing} passing`;
  };
  const order = orderOf(lines, trouble, isFine);
  return selectLines({ lines, must, order, maxChars, about });
}

function isTestOutput(lines: readonly string[]): boolean {
  let signs = 0;
  let filled = 0;
  for (const line of lines) {
    const text = plainLine(line.slice(0, 400));
    if (text.trim() === "") continue;
    filled++;
    const isDiff = /^[-+] ?\s/.test(text) || text.startsWith("@@ ");
    if (isDiff) continue;
    if (isPassingLine(text) || STEP.test(text) || SUMMARY.test(text)) signs++;
    else if (/^\s*(?:--- FAIL|FAIL\b|not ok\b|[✗✘✕×] )/.test(text)) signs++;
  }
  return signs >= MIN_SIGNS && signs >= filled * MIN_SHARE;
}

function summariesOf(lines: readonly string[]): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    const text = plainLine(line.slice(0, 400));
    if (SUMMARY.test(text) && !isPassingLine(text) && !isErrorLine(text)) found.push(index);
  }
  return found.slice(-40);
}

/** Yields the lines around failures, nearest first, then other lines from both ends, without passed tests. */
function* orderOf(
  lines: readonly string[],
  trouble: readonly number[],
  isFine: readonly boolean[],
): Generator<number> {
  const isRepeat = findRepeats(lines);
  const ends = trouble.map((index) => reportEnd(lines, index, isFine));
  for (let distance = 1; distance <= MAX_REPORT; distance++) {
    for (const [nth, index] of trouble.entries()) {
      if (index + distance < (ends[nth] ?? 0)) yield index + distance;
      const before = index - distance;
      if (distance <= LINES_BEFORE_FAILURE && before >= 0 && isFine[before] === false) yield before;
    }
  }
  for (const index of fromBothEnds(lines.length)) {
    if (isFine[index] === false && isRepeat[index] === 0) yield index;
  }
}

/** Finds the end of a failure report: a passed test, or an empty line that no indented line follows. */
function reportEnd(lines: readonly string[], from: number, isFine: readonly boolean[]): number {
  const most = Math.min(lines.length, from + MAX_REPORT + 1);
  for (let at = from + 1; at < most; at++) {
    if (isFine[at] === true) return at;
    const [line, next] = [lines[at] ?? "", lines[at + 1] ?? ""];
    if (line.trim() === "" && !/^\s/.test(next)) return at;
  }
  return most;
}
