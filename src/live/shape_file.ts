/**
 * Shaper: of a file that was read, keeps the head.
 *
 * @module
 */

import { countLines, isMarked, leftOutMark, NEWLINE } from "./marks.ts";
import { type ShapedText, TARGET_SHARE } from "./shape_text.ts";

/**
 * Keeps the first lines of a file. Lines in the middle cannot go, as those behind would get the wrong
 * numbers.
 *
 * Permissions: none.
 *
 * @param text What was read.
 * @param maxChars What is no longer stays as it is, in UTF-16 code units; what is longer is cut to about
 * two fifths of that.
 * @returns The head; null where the text stays as it is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { shapeFile } from "./shape_file.ts";
 *
 * const text = Array.from({ length: 500 }, () => "line").join("\n");
 * assertEquals(shapeFile(text, 100)?.text, "line\nline\nline\nline\nline\nline\nline\nline\n[trimtab: lines 9-500 left out]");
 * ```
 */
export function shapeFile(text: string, maxChars: number): ShapedText | null {
  if (text.length <= maxChars || isMarked(text)) return null;
  const end = text.lastIndexOf(NEWLINE, Math.floor(maxChars * TARGET_SHARE));
  // What is one long line from the start cannot be cut between lines.
  if (end <= 0) return null;
  const head = text.slice(0, end);
  const mark = leftOutMark(head.split(NEWLINE).length + 1, countLines(text));
  return { kind: "file", text: `${head}${NEWLINE}${mark}`.toWellFormed() };
}
