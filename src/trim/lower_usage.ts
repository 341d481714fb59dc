/**
 * Lowers the usage of a session's newest message, so that the client shows what a trimmed copy
 * holds, not what its parent held.
 *
 * @module
 */

import { MemberWalker, skipSpace } from "../transcript/json_scan.ts";
import type { EditList } from "./edits.ts";

/** The counts that make up the context, the one that shrinks first at the head. */
const COUNTS = ["cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens"];

/**
 * Rewrites the counts of one assistant line so that they add up to a new size.
 *
 * @param text The text that holds the line's entry, one character a byte.
 * @param start Where the entry starts.
 * @param end Where it ends (exclusive).
 * @param edits Where the edits go.
 * @param tokens The new size of the context, in tokens.
 */
export function lowerUsage(
  text: string,
  start: number,
  end: number,
  edits: EditList,
  tokens: number,
): void {
  const message = memberValue(text, skipSpace(text, start, end), end, "message");
  const usage = message < 0 ? -1 : memberValue(text, message, end, "usage");
  if (usage < 0) return;
  const places = new Map<string, { start: number; end: number; count: number }>();
  const walker = new MemberWalker();
  walker.start(text, usage, end);
  while (walker.next()) {
    const key = COUNTS.find((name) => walker.keyIs(name));
    if (key === undefined) continue;
    const place = { start: walker.valueStart, end: walker.skip(), count: 0 };
    place.count = Number(text.slice(place.start, place.end));
    if (Number.isFinite(place.count) && place.count >= 0) places.set(key, place);
  }
  let excess = [...places.values()].reduce((sum, place) => sum + place.count, 0) - tokens;
  for (const key of COUNTS) {
    const place = places.get(key);
    if (place === undefined || excess <= 0) continue;
    const taken = Math.min(excess, place.count);
    excess -= taken;
    if (taken > 0) edits.add(place.start, place.end, String(place.count - taken));
  }
}

function memberValue(text: string, object: number, end: number, key: string): number {
  const walker = new MemberWalker();
  if (!walker.start(text, object, end)) return -1;
  while (walker.next()) {
    if (walker.keyIs(key)) return walker.valueStart;
  }
  return -1;
}
