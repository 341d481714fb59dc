/** The line at the head of a shaped output, written and recognised here so that both stay the same. */

import { grouped } from "./bound.ts";

interface ShapedNotice {
  readonly chars: number;
  readonly lines: number;
  /** The file that holds all of it; no line break is in its path. */
  readonly path: string;
}

export const SHAPED_START = "[trimtab: shaped from ";

/** No line of this kind is longer, in characters. */
const MAX_NOTICE_CHARS = 4_600;

/** From so many characters a line on, lines are no way to read a file part by part. */
const LONG_LINE_CHARS = 2_000;

/** The client may put a number before it: of the files found, or of the line that was read. */
const NOTICE =
  /^(?:Found \d[^\n]{0,80}\n| {0,6}0\t)?\[trimtab: shaped from [\d,]+ characters in [\d,]+ lines?; the whole output is in [^\n]{1,4096}: (?:Read|search) it [^\n\]]{1,80}\](?=\n|$)/;

export function shapedNotice({ chars, lines, path }: ShapedNotice): string {
  const how = chars / lines > LONG_LINE_CHARS
    ? "search it with Grep or a command"
    : "Read it with offset and limit";
  const word = lines === 1 ? "line" : "lines";
  return `${SHAPED_START}${grouped(chars)} characters in ${grouped(lines)} ${word}; ` +
    `the whole output is in ${path}: ${how}]`;
}

/** Measures how much of a result must stay so that the line does. */
export function shapedHeadUnits(content: string): number {
  // Most results are none: one look tells.
  const first = content.charCodeAt(0);
  if (first !== 0x5b && first !== 0x46 && first !== 0x20 && first !== 0x30) return 0;
  return NOTICE.exec(content.slice(0, MAX_NOTICE_CHARS))?.[0].length ?? 0;
}
