/** The line at the top of a shaped output; `src/core/marks.ts` recognises it. */

import { grouped } from "./bound.ts";

interface ShapedNotice {
  readonly chars: number;
  readonly lines: number;
  /** The file with the whole output; its path contains no line break. */
  readonly path: string;
}

export const SHAPED_START = "[trimtab: shaped from ";

/** Average line length, in characters, above which a file cannot be read by ranges of lines. */
const LONG_LINE_CHARS = 2_000;

export function shapedNotice({ chars, lines, path }: ShapedNotice): string {
  const how = chars / lines > LONG_LINE_CHARS
    ? "search it with Grep or a command"
    : "Read it with offset and limit";
  const word = lines === 1 ? "line" : "lines";
  return `${SHAPED_START}${grouped(chars)} characters in ${grouped(lines)} ${word}; ` +
    `the whole output is in ${path}: ${how}]`;
}
