import { boundText } from "../inject/bound.ts";
import { isErrorLine } from "../core/error_lines.ts";
import { charactersMark, endOf } from "./marks.ts";

/** In UTF-16 code units. */
const MAX_LINE = 400;

const MAX_ERROR_LINE = 2_000;

const END = 120;

/** A line that was redrawn this often is a progress bar. Only its last state is kept. */
const MIN_STEPS = 4;

/** Shortens a line to 400 characters, or to `mostChars` if that is more. */
export function clipLine(line: string, mostChars = MAX_LINE): string {
  const most = Math.max(MAX_LINE, mostChars);
  if (line.length <= most) return line;
  const steps = line.includes("\r") ? line.split("\r") : [];
  const text = steps.length < MIN_STEPS ? line : lastState(steps);
  return clipMiddle(text, isErrorLine(text) ? Math.max(MAX_ERROR_LINE, most) : most);
}

function clipMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = boundText(text, Math.max(0, most - END));
  const end = endOf(text, Math.min(END, most));
  const clipped = start + charactersMark(text.length - start.length - end.length) + end;
  return clipped.length < text.length ? clipped : text;
}

/** Also keeps the error lines of earlier states. */
function lastState(steps: readonly string[]): string {
  const last = steps.findLast((step) => step.trim() !== "") ?? "";
  const errors = steps.filter((step) => step !== last && isErrorLine(step));
  return [...new Set(errors), last].join("\r");
}
