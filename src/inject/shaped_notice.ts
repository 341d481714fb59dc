/** The line at the head of a shaped output; `src/core/marks.ts` recognises it. */

import { grouped } from "./bound.ts";

interface ShapedNotice {
  readonly chars: number;
  readonly lines: number;
  /** The file that holds all of it; no line break is in its path. */
  readonly path: string;
}

export const SHAPED_START = "[trimtab: shaped from ";

/** Average line length from which lines are no way to read a file in parts, in characters. */
const LONG_LINE_CHARS = 2_000;

export function shapedNotice({ chars, lines, path }: ShapedNotice): string {
  const how = chars / lines > LONG_LINE_CHARS
    ? "search it with Grep or a command"
    : "Read it with offset and limit";
  const word = lines === 1 ? "line" : "lines";
  return `${SHAPED_START}${grouped(chars)} characters in ${grouped(lines)} ${word}; ` +
    `the whole output is in ${path}: ${how}]`;
}
