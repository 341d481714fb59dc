/** Writes the first line of a shaped output, which `src/core/marks.ts` recognizes. */

import { counted, grouped } from "./bound.ts";

interface ShapedNotice {
  readonly chars: number;
  readonly lines: number;
  /** Path of the file with the whole output. The path contains no line breaks. */
  readonly path: string;
}

const SHAPED_START = "[trimtab: shaped from ";

/** If the average line is longer, in characters, reading a range of lines does not help. */
const LONG_LINE_CHARS = 2_000;

export function shapedNotice({ chars, lines, path }: ShapedNotice): string {
  const advice = chars / lines > LONG_LINE_CHARS
    ? "search it with Grep or a command"
    : "Read it with offset and limit";
  return `${SHAPED_START}${grouped(chars)} characters in ${counted(lines, "line")}; ` +
    `the whole output is in ${path}: ${advice}]`;
}
