/** Shapes files that were read: keeps the start. */

import { countLines } from "../core/chars.ts";
import { leftOutMark, NEWLINE } from "./marks.ts";
import { TARGET_SHARE } from "./shape_text.ts";

/** @param firstLine Number of the text's first line in its file. */
export function shapeFile(text: string, maxChars: number, firstLine = 1): string | null {
  if (text.length <= maxChars) return null;
  const end = text.lastIndexOf(NEWLINE, Math.floor(maxChars * TARGET_SHARE));
  // A file that starts with one long line cannot be cut between lines.
  if (end <= 0) return null;
  const head = text.slice(0, end);
  const before = firstLine - 1;
  const next = head.split(NEWLINE).length + 1;
  const mark = leftOutMark(
    before + next,
    before + countLines(text),
    before > 0 ? "by the file's numbers" : "",
  );
  return `${head}${NEWLINE}${mark}`.toWellFormed();
}
