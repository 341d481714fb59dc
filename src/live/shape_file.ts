/**
 * Shaper: of a file that was read, keeps the head.
 *
 * @module
 */

import { isMarked, leftOutMark, NEWLINE } from "./marks.ts";

/** To what share of the bound a longer file is shaped. */
const TARGET_SHARE = 0.4;

/** A shaped file. */
export interface ShapedFile {
  /** What it is. */
  readonly kind: "file";
  /** The head, with a mark for the rest. */
  readonly text: string;
}

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
export function shapeFile(text: string, maxChars: number): ShapedFile | null {
  if (text.length <= maxChars || isMarked(text)) return null;
  const end = text.lastIndexOf(NEWLINE, Math.floor(maxChars * TARGET_SHARE));
  // What is one long line from the start cannot be cut between lines.
  if (end <= 0) return null;
  const head = text.slice(0, end);
  const shown = head.split(NEWLINE).length;
  const all = text.split(NEWLINE).length - (text.endsWith(NEWLINE) ? 1 : 0);
  return { kind: "file", text: `${head}${NEWLINE}${leftOutMark(shown + 1, all)}`.toWellFormed() };
}
