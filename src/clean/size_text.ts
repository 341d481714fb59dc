/**
 * Sizes in words.
 *
 * @module
 */

/**
 * Writes a size in the unit that suits it.
 *
 * Permissions: none.
 *
 * @param bytes The size.
 * @returns A number and `B`, `KB` or `MB`, all powers of ten.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { sizeText } from "./size_text.ts";
 *
 * assertEquals([999, 1_000, 2_345_678].map(sizeText), ["999 B", "1.0 KB", "2.3 MB"]);
 * ```
 */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
