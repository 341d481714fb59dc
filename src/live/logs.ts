/** Shaper of logs: keeps the head, the tail and all error lines. */

import { errorMatcherFor } from "../core/error_lines.ts";
import { NEWLINE } from "./marks.ts";
import { alike, findRepeats } from "./repeats.ts";
import { fromBothEnds, selectLines } from "./select_lines.ts";

/** Lines that structure a text: files and positions of a diff, headings. */
const LANDMARK = /^(?:diff --git |@@ |#{1,4} |={3,} |-{3} \S)/;

/** Lines of the start and the end that are chosen before landmarks and context lines. */
const FIRST_LINES = 12;

/** Lines that stay before an error line. */
const BEFORE = 2;
const BEHIND = 4;

/** Most error lines that differ only in numbers and all stay; of more, the middle ones can be dropped. */
const MAX_ALIKE = 20;

const MAX_COPIES = 3;

export function shapeLog(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE);
  const must = troubleOf(lines);
  return selectLines({ lines, must, order: orderOf(lines, must), maxChars });
}

export function troubleOf(lines: readonly string[]): number[] {
  const isError = errorMatcherFor(lines);
  const errors = [...lines.entries()].filter(([, line]) => isError(line));
  const kept = [...Map.groupBy(errors, ([, line]) => alike(line)).values()].flatMap((all) => {
    const group = withoutCopies(all);
    if (group.length <= MAX_ALIKE) return group;
    return [...group.slice(0, MAX_ALIKE / 2), ...group.slice(-MAX_ALIKE / 2)];
  });
  return kept.sort((a, b) => a - b);
}

/** The indices of lines, with only the first three of identical lines. */
function withoutCopies(lines: readonly (readonly [index: number, line: string])[]): number[] {
  const counts = new Map<string, number>();
  return lines.flatMap(([index, line]) => {
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    return count <= MAX_COPIES ? [index] : [];
  });
}

function* orderOf(lines: readonly string[], trouble: readonly number[]): Generator<number> {
  const isRepeat = findRepeats(lines);
  const edges = [...fromBothEnds(lines.length)].filter((index) => isRepeat[index] === 0);
  yield* edges.slice(0, FIRST_LINES);
  for (let distance = 1; distance <= BEHIND; distance++) {
    for (const index of trouble) {
      if (index + distance < lines.length) yield index + distance;
      if (distance <= BEFORE && index >= distance) yield index - distance;
    }
  }
  for (const [index, line] of lines.entries()) {
    if (LANDMARK.test(line)) yield index;
  }
  yield* edges;
}
