/**
 * Puts together what the model gets through a hook.
 *
 * @module
 */

import { boundText, MAX_CONTEXT_CHARS } from "./bound.ts";
import { cleanText } from "./clean.ts";
import { fenceData, type FencedData } from "./fence.ts";

/** A piece of a context: words of our own, or text from somewhere else, which gets a fence. */
export type ContextPart = string | Omit<FencedData, "maxChars">;

/** What stands between two pieces. */
const GAP = "\n\n";

/**
 * Puts pieces together, within the bound of what a hook may say.
 *
 * Our own words come first to their room; text from somewhere else is cut to what is left, the
 * first of several before the next.
 *
 * Permissions: none.
 *
 * @param parts The pieces in their order.
 * @param maxChars The most UTF-16 code units of the whole.
 * @returns The context, the same for the same pieces.
 *
 * @example
 * ```ts
 * import { buildContext } from "./context.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const parts = ["Resumed from a checkpoint:", { source: "checkpoint 1", text: "Tests pass." }];
 * assertEquals(
 *   buildContext(parts),
 *   "Resumed from a checkpoint:\n\n" +
 *     '<trimtab-data source="checkpoint 1">\nTests pass.\n</trimtab-data>',
 * );
 * ```
 */
export function buildContext(
  parts: readonly ContextPart[],
  maxChars: number = MAX_CONTEXT_CHARS,
): string {
  const words = parts.map((part) => typeof part === "string" ? cleanText(part) : part);
  const ours = words.filter((part) => typeof part === "string").join("");
  let room = maxChars - ours.length - GAP.length * (parts.length - 1);
  const pieces = words.map((part) => {
    if (typeof part === "string") return part;
    const fenced = fenceData({ ...part, maxChars: room });
    room -= fenced.length;
    return fenced;
  });
  return boundText(pieces.filter((piece) => piece !== "").join(GAP), maxChars);
}
