/** Cuts lines that are too long. */

import { boundText } from "../inject/bound.ts";
import { isErrorLine } from "../core/error_lines.ts";
import { charactersMark, endOf } from "./marks.ts";

/** Longest line that stays whole, in UTF-16 code units. */
const MAX_LINE = 400;

const MAX_ERROR_LINE = 2_000;

const END = 120;

/** Fewest steps that make a line a progress bar, of which only the last step stays. */
const MIN_STEPS = 4;

/** Cuts a long line in its middle; a redrawn progress bar keeps its last state. */
export function clipLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const steps = line.includes("\r") ? line.split("\r") : [];
  const text = steps.length < MIN_STEPS ? line : lastPicture(steps);
  return clipMiddle(text, isErrorLine(text) ? MAX_ERROR_LINE : MAX_LINE);
}

export function clipMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = boundText(text, Math.max(0, most - END));
  const end = endOf(text, Math.min(END, most));
  const clipped = start + charactersMark(text.length - start.length - end.length) + end;
  return clipped.length < text.length ? clipped : text;
}

/** The last state of a redrawn line, with the error lines before it. */
function lastPicture(steps: readonly string[]): string {
  const last = steps.findLast((step) => step.trim() !== "") ?? "";
  const trouble = steps.filter((step) => step !== last && isErrorLine(step));
  return [...new Set(trouble), last].join("\r");
}
