import { boundText } from "./bound.ts";

/** Shortest part of a line that is worth showing, in characters. */
export const MIN_LINE_CHARS = 80;

export interface Fitted {
  readonly lines: readonly string[];
  /** Number of lines that are left out, at least 1 if a line is shortened. */
  readonly omitted: number;
}

export function sizeOfLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** @param shorten Shortens the first line that does not fit; returns an empty string to leave it out. */
export function headOf(
  lines: readonly string[],
  room: number,
  shorten: (line: string, maxChars: number) => string = cutEnd,
): Fitted {
  let left = room;
  const tooMany = lines.findIndex((line) => (left -= line.length + 1) < 0);
  if (tooMany < 0) return { lines, omitted: 0 };
  for (let end = tooMany; end >= 0; end--) {
    const kept = lines.slice(0, end);
    const moreText = (count: number): string => `(${lines.length - count} more)`;
    const spare = room - sizeOfLines([...kept, moreText(end)]);
    const start = spare > MIN_LINE_CHARS ? shorten(lines[end] ?? "", spare - 1) : "";
    if (start !== "") kept.push(start);
    if (spare < 0 || kept.length === 0) continue;
    const missing = lines.length - kept.length;
    return {
      lines: missing === 0 ? kept : [...kept, moreText(kept.length)],
      omitted: Math.max(1, missing),
    };
  }
  return { lines: [], omitted: lines.length };
}

export function cutEnd(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${boundText(line, maxChars - 1)}…`;
}

const SHORT_LINE_CHARS = 26;

/** Room for a line such as `(3 more between)`. */
export const GAP_CHARS = 22;

/**
 * Puts lines in order, and states how many are omitted before and between them. With `isJoined`, joins
 * consecutive short lines, such as "ok, go on".
 */
export function withGaps(
  kept: ReadonlyMap<number, string>,
  count: number,
  isJoined: boolean,
): Fitted["lines"] {
  const lines: string[] = [];
  let missing = 0;
  let isAfterShort = false;
  for (let index = 0; index < count; index++) {
    const line = kept.get(index);
    if (line === undefined) {
      missing++;
      continue;
    }
    if (missing > 0) lines.push(`(${missing} more between)`);
    const isShort = isJoined && line.length <= SHORT_LINE_CHARS && index > 0;
    if (isShort && isAfterShort && missing === 0) lines.push(`${lines.pop()}; ${line.slice(2)}`);
    else lines.push(line);
    isAfterShort = isShort;
    missing = 0;
  }
  return lines;
}
