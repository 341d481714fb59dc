/** Renders a match and its surroundings on one line. */

import { CONTROLS, TERMINAL_SEQUENCES, UNSEEN } from "../../core/unseen.ts";
import type { TextMatch } from "./guarded_expression.ts";

export const DEFAULT_EXCERPT_CHARS = 120;

const ELLIPSIS = "\u2026";

/** Characters read per character of the excerpt, because runs of white space shrink to one space. */
const SCAN_FACTOR = 4;

export function excerptAround(text: string, match: TextMatch, maxChars: number): string {
  const end = match.index + match.length;
  const scanChars = maxChars * SCAN_FACTOR;
  const cutStart = Math.max(0, match.index - scanChars);
  const cutEnd = Math.min(text.length, end + scanChars);
  const matched = onOneLine(text.slice(match.index, Math.min(end, match.index + scanChars)));
  const head = onOneLine(text.slice(cutStart, match.index)).trimStart();
  const tail = onOneLine(text.slice(end, cutEnd)).trimEnd();
  const before = [...head.toWellFormed()];
  const middle = [...matched.toWellFormed()];
  const after = [...tail.toWellFormed()];
  const room = Math.max(0, maxChars - middle.length);
  const half = Math.floor(room / 2);
  // Each side may use the room that the other side does not need.
  const left = Math.min(before.length, Math.max(half, room - after.length));
  const right = Math.min(after.length, room - left);
  const shownBefore = before.slice(before.length - left);
  const shownAfter = after.slice(0, right);
  const shown = middle.slice(0, maxChars);
  // An ellipsis replaces a character, so that the excerpt does not exceed the limit.
  if (left > 0 && (left < before.length || cutStart > 0)) shownBefore[0] = ELLIPSIS;
  if (right > 0 && (right < after.length || cutEnd < text.length)) shownAfter[right - 1] = ELLIPSIS;
  if (shown.length < middle.length) shown[shown.length - 1] = ELLIPSIS;
  return [...shownBefore, ...shown, ...shownAfter].join("");
}

/** Removes control characters, so that a tool's output cannot move the cursor or change shown text. */
function onOneLine(text: string): string {
  return text.replaceAll(TERMINAL_SEQUENCES, "").replaceAll(/\s+/g, " ")
    .replaceAll(CONTROLS, "").replaceAll(UNSEEN, "");
}
