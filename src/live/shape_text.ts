/** Chooses a shaper by the content of the text. */

import { countLines } from "../core/chars.ts";
import { shapeLog } from "./logs.ts";
import { leftOutMark } from "./marks.ts";
import { shapeSearchResults } from "./search_results.ts";

/** Each function shortens text of one kind and returns other text unchanged; the last accepts any text. */
const SHAPERS = [shapeSearchResults, shapeLog];

/** Desired length, as a fraction of the limit. A result just under the limit would save little. */
const TARGET_SHARE = 0.4;

/** Longest worthwhile result, as a fraction of the original's length. */
const MAX_SHAPED_SHARE = 0.85;

/**
 * Shapes text that is longer than a limit, to about two fifths of the limit, or more if it has many errors.
 * Returns null if the text is left unchanged.
 */
export function shapeText(text: string, maxChars: number): string | null {
  if (text.length <= maxChars) return null;
  const target = Math.floor(maxChars * TARGET_SHARE);
  for (const shape of SHAPERS) {
    const shaped = shape(text, target);
    if (shaped.length <= text.length * MAX_SHAPED_SHARE) return shaped.toWellFormed();
  }
  return null;
}

/** `firstLine` is the number of the text's first line in its file. */
export function shapeFile(text: string, maxChars: number, firstLine = 1): string | null {
  if (text.length <= maxChars) return null;
  const end = text.lastIndexOf("\n", Math.floor(maxChars * TARGET_SHARE));
  // A file that starts with one long line cannot be cut between lines.
  if (end <= 0) return null;
  const head = text.slice(0, end);
  const [next, last] = [firstLine + head.split("\n").length, firstLine - 1 + countLines(text)];
  const mark = leftOutMark(next, last, firstLine > 1 ? "numbered as in the file" : "");
  return `${head}\n${mark}`.toWellFormed();
}
