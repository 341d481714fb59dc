/** Shaper: keeps the head, the tail and all that went wrong. */

import { errorMatcherFor } from "../core/error_lines.ts";
import { NEWLINE } from "./marks.ts";
import { alike, findRepeats } from "./repeats.ts";
import { fromBothEnds, selectLines } from "./select_lines.ts";

/** Lines that structure a text: files and positions of a diff, headings. */
const LANDMARK = /^(?:diff --git |@@ |#{1,4} |={3,} |-{3} \S)/;

/** Lines of the start and of the end that stay in any case, before landmarks and surroundings. */
const FIRST_LINES = 12;

/** Lines before and behind one that says that something went wrong. */
const BEFORE = 2;
const BEHIND = 4;

/** Error lines that differ only in numbers: of more than this, the middle ones can go. */
const MAX_ALIKE = 20;

export function shapeLog(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE);
  const must = troubleOf(lines);
  return selectLines({ lines, must, order: orderOf(lines, must), maxChars });
}

export function troubleOf(lines: readonly string[]): number[] {
  const isError = errorMatcherFor(lines);
  const seen = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    if (!isError(line)) continue;
    const key = alike(line);
    const others = seen.get(key);
    if (others === undefined) seen.set(key, [index]);
    else others.push(index);
  }
  const kept = [...seen.values()].flatMap((all) => {
    const group = withoutCopies(lines, all);
    if (group.length <= MAX_ALIKE) return group;
    return [...group.slice(0, MAX_ALIKE / 2), ...group.slice(-MAX_ALIKE / 2)];
  });
  return kept.sort((a, b) => a - b);
}

function withoutCopies(lines: readonly string[], group: readonly number[]): number[] {
  const counts = new Map<string, number>();
  return group.filter((index) => {
    const line = lines[index] ?? "";
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    return count <= 3;
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
