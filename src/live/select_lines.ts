/** Keeps the most important lines, and marks the gaps. */

import { clipLine } from "./clip_line.ts";
import { leftOutMark } from "./marks.ts";

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

/**
 * Keeps the required lines, then adds candidates in order until one does not fit. A mark replaces each gap,
 * unless the mark would be longer than the lines.
 */
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
export function* fromBothEnds(count: number): Generator<number> {
  let start = 0;
  let end = count - 1;
  while (start <= end) {
    yield start++;
    if (end >= start) yield end--;
    if (end >= start) yield end--;
  }
}
