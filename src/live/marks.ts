import { isErrorLine } from "../core/error_lines.ts";
import { boundText } from "../inject/bound.ts";

const MARK_START = "[trimtab: ";

export function leftOutMark(first: number, last: number, remark = ""): string {
  const place = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${MARK_START}${place} left out${remark === "" ? "" : `, ${remark}`}]`;
}

export function charactersMark(count: number): string {
  return `${MARK_START}${count} characters left out]`;
}

export function moreMark(count: number, plural: string, place = ""): string {
  const noun = count === 1 ? plural.replace(/(?<=match)es$|s$/, "") : plural;
  return `${MARK_START}${count} ${noun}${place}]`;
}

/** Never splits a surrogate pair. */
export function endOf(text: string, units: number): string {
  return text.length <= units
    ? text
    : text.slice(text.length - units).replace(/^[\udc00-\udfff]/, "");
}

/** In UTF-16 code units. */
const MAX_LINE_CHARS = 400;

const MAX_ERROR_LINE_CHARS = 2_000;

/** Length of the text kept at the end of a clipped line, in UTF-16 code units. */
const END_CHARS = 120;

/** A long line with at least this many states, separated by carriage returns, is a progress bar. */
const MIN_STEPS = 4;

/** Keeps 400 characters (2,000 with an error), or `maxChars`; of a progress bar, only its last state. */
export function clipLine(line: string, maxChars = MAX_LINE_CHARS): string {
  const max = Math.max(MAX_LINE_CHARS, maxChars);
  if (line.length <= max) return line;
  const steps = line.includes("\r") ? line.split("\r") : [];
  const text = steps.length < MIN_STEPS ? line : lastState(steps);
  return clipMiddle(text, isErrorLine(text) ? Math.max(MAX_ERROR_LINE_CHARS, max) : max);
}

function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = boundText(text, max - END_CHARS);
  const end = endOf(text, END_CHARS);
  const clipped = start + charactersMark(text.length - start.length - end.length) + end;
  return clipped.length < text.length ? clipped : text;
}

function lastState(steps: readonly string[]): string {
  const last = steps.findLast((step) => step.trim() !== "") ?? "";
  const errors = steps.filter((step) => step !== last && isErrorLine(step));
  return [...new Set(errors), last].join("\r");
}
