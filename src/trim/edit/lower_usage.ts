/** Lowers the newest usage, so that the client shows what the copy holds, not its parent. */

import { memberAt, skipSpace, skipValue } from "../../transcript/json_scan.ts";
import type { EditList } from "./edits.ts";

/** The counts that make up the context, the one that shrinks first at the head. */
const COUNTS = ["cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"];

/** Rewrites the counts of one assistant line so that they add up to a new size. */
export function lowerUsage(
  text: string,
  start: number,
  end: number,
  edits: EditList,
  tokens: number,
): void {
  const message = memberAt(text, skipSpace(text, start, end), end, "message");
  const usage = message < 0 ? -1 : memberAt(text, message, end, "usage");
  if (usage < 0) return;
  const places = COUNTS.flatMap((key) => countAt(text, memberAt(text, usage, end, key), end));
  let excess = places.reduce((sum, place) => sum + place.count, 0) - tokens;
  for (const place of places) {
    if (excess <= 0) break;
    const taken = Math.min(excess, place.count);
    excess -= taken;
    if (taken > 0) edits.add(place.start, place.end, String(place.count - taken));
  }
}

export function lowerMetadata(
  text: string,
  start: number,
  end: number,
  edits: EditList,
  tokens: number,
): void {
  const at = memberAt(text, skipSpace(text, start, end), end, "contextTokens");
  for (const place of countAt(text, at, end)) edits.add(place.start, place.end, String(tokens));
}

/** The count that stands at a place, where one does. */
function countAt(
  text: string,
  start: number,
  end: number,
): { start: number; end: number; count: number }[] {
  if (start < 0) return [];
  const stop = skipValue(text, start, end);
  const count = Number(text.slice(start, stop));
  return Number.isFinite(count) && count >= 0 ? [{ start, end: stop, count }] : [];
}
