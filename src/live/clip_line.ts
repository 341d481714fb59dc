/**
 * Cuts what is too long for a line.
 *
 * @module
 */

import { boundText } from "../inject/bound.ts";
import { isErrorLine } from "./error_lines.ts";
import { charactersMark, endOf } from "./marks.ts";

/** A line of this length stays whole, in UTF-16 code units. */
const MAX_LINE = 400;

/** So does one that says that something went wrong. */
const MAX_ERROR_LINE = 2_000;

/** How much of a longer line's end stays. */
const END = 120;

/** From so many steps on a line is the picture of a progress, of which the last step counts. */
const MIN_STEPS = 4;

/**
 * Cuts a line that is too long in its middle, and of a progress that was drawn over and over, keeps
 * the last picture.
 *
 * Permissions: none.
 *
 * @param line The line without its break.
 * @returns The line, or what is left of it; never longer.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { clipLine } from "./clip_line.ts";
 *
 * assertEquals(clipLine("short"), "short");
 * assertEquals(clipLine("a".repeat(1000)).length, 280 + "[trimtab: 600 characters left out]".length + 120);
 * ```
 */
export function clipLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const steps = line.includes("\r") ? line.split("\r") : [];
  const text = steps.length < MIN_STEPS ? line : lastPicture(steps);
  const most = text.length > MAX_LINE && isErrorLine(text) ? MAX_ERROR_LINE : MAX_LINE;
  const clipped = clipMiddle(text, most);
  return clipped.length < line.length ? clipped : line;
}

/**
 * Cuts a text in its middle.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @param most A text of this length stays whole, in UTF-16 code units.
 * @returns The text, or its two ends with a mark between them; never longer.
 */
export function clipMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = boundText(text, Math.max(0, most - END));
  const end = endOf(text, Math.min(END, most));
  const clipped = start + charactersMark(text.length - start.length - end.length) + end;
  return clipped.length < text.length ? clipped : text;
}

/** What a screen shows in the end, and what went wrong on the way. */
function lastPicture(steps: readonly string[]): string {
  const last = steps.findLast((step) => step.trim() !== "") ?? "";
  const trouble = steps.filter((step) => step !== last && isErrorLine(step));
  return [...new Set(trouble), last].join("\r");
}
