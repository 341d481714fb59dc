/**
 * How much may be said to the model through one hook, and how amounts are written.
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

/**
 * Writes a count with its thousands set apart by commas: the same bytes in every locale.
 *
 * Permissions: none.
 *
 * @param count The count; of a part the nearest whole number is told.
 * @returns Its digits.
 *
 * @example
 * ```ts
 * import { grouped } from "./bound.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(grouped(999), "999");
 * assertEquals(grouped(-1_234_567.8), "-1,234,568");
 * ```
 */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
