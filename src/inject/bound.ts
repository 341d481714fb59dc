/**
 * How much may be said to the model through one hook.
 *
 * @module
 */

/**
 * The most characters of context that a hook puts out. The client hands 10,000 on whole; of one more
 * the model gets the first 2 kB and the path of a file.
 */
export const MAX_CONTEXT_CHARS = 9_500;

/**
 * Cuts a text to a length, between two characters.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @param maxChars The most UTF-16 code units that stay, 0 or more.
 * @returns The text, or its beginning.
 *
 * @example
 * ```ts
 * import { boundText } from "./bound.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(boundText("a😀", 2), "a");
 * assertEquals(boundText("a😀", 3), "a😀");
 * ```
 */
export function boundText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, isHalf ? maxChars - 1 : maxChars));
}
