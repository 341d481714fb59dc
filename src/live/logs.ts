/** Shapes any output: keeps the start, the end and the errors; drops passed tests and repetition. */

import { errorMatcherFor, isPassingLine } from "../core/error_lines.ts";
import { findRepeats, normalizedLine } from "./repeats.ts";
import { fromBothEnds, selectLines } from "./select_lines.ts";

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
      const group = withoutCopies(all);
      if (group.length <= MAX_ALIKE_ERRORS) return group;
      return [...group.slice(0, MAX_ALIKE_ERRORS / 2), ...group.slice(-MAX_ALIKE_ERRORS / 2)];
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
