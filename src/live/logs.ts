/** Shapes any output: keeps the start, the end and the errors; drops passed tests and repetition. */

import { errorMatcherFor, isErrorLine, isPassingLine } from "../core/error_lines.ts";
import { clipLine, leftOutMark } from "./marks.ts";

/** Matches headings, and the file and hunk headers of a diff. */
const LANDMARK = /^(?:diff --git |@@ |#{1,4} |={3,} |-{3} \S)/;

/** Number of lines at both ends that take precedence over landmarks and context lines. */
const EDGE_LINES = 12;

const LINES_BEFORE_ERROR = 2;
const LINES_AFTER_ERROR = 4;

/** If more error lines than this differ only in numbers and ids, the lines in the middle can be dropped. */
const MAX_ALIKE_ERRORS = 20;

const MAX_COPIES = 3;

export function shapeLog(text: string, maxChars: number): string {
  const lines = text.split("\n");
  const errors = errorsIn(lines);
  const isPassing = lines.map(isPassingLine);
  const remark = (from: number, to: number): string => {
    const count = isPassing.slice(from, to).filter(Boolean).length;
    return count === 0 ? "" : `${count} passing`;
  };
  // If every line looks like a passed test, the output may be a list of something else.
  const isAllPassing = isPassing.every(Boolean);
  const candidates = orderOf(lines, errors).filter((index) => isAllPassing || !isPassing[index]);
  return selectLines({ lines, required: errors, candidates, maxChars, remark });
}

function errorsIn(lines: readonly string[]): number[] {
  const isError = errorMatcherFor(lines);
  const errors = [...lines.entries()].filter(([, line]) => isError(line));
  const kept = [...Map.groupBy(errors, ([, line]) => normalizedLine(line)).values()].flatMap(
    (all) => {
      const half = MAX_ALIKE_ERRORS / 2;
      return withoutCopies(all).filter((_, at, { length }) => at < half || at >= length - half);
    },
  );
  return kept.sort((a, b) => a - b);
}

function withoutCopies(lines: readonly (readonly [index: number, line: string])[]): number[] {
  const kept = Map.groupBy(lines, ([, line]) => line).values()
    .flatMap((copies) => copies.slice(0, MAX_COPIES));
  return [...kept].map(([index]) => index).sort((a, b) => a - b);
}

function* orderOf(lines: readonly string[], errors: readonly number[]): Generator<number> {
  const isRepeat = findRepeats(lines);
  const edges = [...fromBothEnds(lines.length)].filter((index) => isRepeat[index] === 0);
  yield* edges.slice(0, EDGE_LINES);
  for (let distance = 1; distance <= LINES_AFTER_ERROR; distance++) {
    for (const index of errors) {
      if (index + distance < lines.length) yield index + distance;
      if (distance <= LINES_BEFORE_ERROR && index >= distance) yield index - distance;
    }
  }
  for (const [index, line] of lines.entries()) {
    if (LANDMARK.test(line)) yield index;
  }
  yield* edges;
}

/** Longest repeated pattern, in lines. */
const MAX_PERIOD_LINES = 3;

const MIN_RUN_LINES = 4;

/** Lines are compared by this many leading UTF-16 code units. */
const MAX_KEY_CHARS = 200;

/** Matches numbers and ids, such as `12`, `0x1f` or `3f2a91c`. */
const VARIABLE = /\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,}\b|\d+/gi;

/** Finds repetitions: lines that differ only in numbers and ids. */
function findRepeats(lines: readonly string[]): Uint8Array {
  // An error line counts as a repeat only of an identical line.
  const keys = lines.map((line) => isErrorLine(line) ? line : normalizedLine(line));
  const isRepeat = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length;) {
    const length = repeatedFrom(keys, at);
    if (length >= MIN_RUN_LINES) {
      // The last repeat is kept, because it shows how far the repetition went.
      isRepeat.fill(1, at, at + length - 1);
      at += length;
    } else {
      at += Math.max(1, length);
    }
  }
  return isRepeat;
}

function normalizedLine(line: string): string {
  return line.slice(0, MAX_KEY_CHARS).replace(VARIABLE, "#");
}

function repeatedFrom(keys: readonly string[], at: number): number {
  let longest = 0;
  for (let period = 1; period <= MAX_PERIOD_LINES; period++) {
    let end = at;
    while (end < keys.length && end >= period && keys[end] === keys[end - period]) end++;
    longest = Math.max(longest, end - at);
  }
  return longest;
}

interface LineChoice {
  readonly lines: readonly string[];
  /** Indices of lines that are kept even beyond the limit. */
  readonly required: Iterable<number>;
  /** Indices of other lines, the most important first. An index may repeat. */
  readonly candidates: Iterable<number>;
  /** Limit for the result, in UTF-16 code units. */
  readonly maxChars: number;
  readonly remark?: (from: number, to: number) => string;
}

const MARK_CHARS = 45;

/** Adds candidates to the required lines until one does not fit. A mark replaces each longer gap. */
export function selectLines(choice: LineChoice): string {
  const { lines, required, candidates, maxChars, remark = () => "" } = choice;
  // The fewer lines there are, the longer each may be, as in a JSON file of one line.
  const lineChars = Math.floor(maxChars / lines.length) - 2 * MARK_CHARS;
  const clipped = lines.map((line) => clipLine(line, lineChars));
  const isKept = new Uint8Array(lines.length);
  let spent = MARK_CHARS;
  const keepWithin = (limit: number, index: number): boolean => {
    if (isKept[index] !== 0) return true;
    const gaps = 1 - (isKept[index - 1] ?? 1) - (isKept[index + 1] ?? 1);
    const cost = (clipped[index]?.length ?? 0) + 1 + gaps * MARK_CHARS;
    if (spent + cost > limit) return false;
    isKept[index] = 1;
    spent += cost;
    return true;
  };
  for (const index of required) keepWithin(Infinity, index);
  for (const index of candidates) {
    if (!keepWithin(maxChars, index)) break;
  }
  return render(clipped, isKept, remark);
}

function render(
  clipped: readonly string[],
  isKept: Uint8Array,
  remark: (from: number, to: number) => string,
): string {
  const parts: string[] = [];
  for (let at = 0; at < clipped.length;) {
    if (isKept[at] === 1) {
      parts.push(clipped[at] ?? "");
      at++;
      continue;
    }
    const next = isKept.indexOf(1, at);
    const end = next < 0 ? clipped.length : next;
    const gap = clipped.slice(at, end);
    const mark = leftOutMark(at + 1, end, remark(at, end));
    const chars = gap.reduce((sum, line) => sum + line.length + 1, -1);
    if (chars <= mark.length) parts.push(...gap);
    else parts.push(mark);
    at = end;
  }
  return parts.join("\n");
}

/** Yields the indices from both ends to the middle: two from the end after each index from the start. */
function* fromBothEnds(count: number): Generator<number> {
  let start = 0;
  let end = count - 1;
  while (start <= end) {
    yield start++;
    if (end >= start) yield end--;
    if (end >= start) yield end--;
  }
}
