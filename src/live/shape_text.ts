/** Chooses a shaper by the content of the text. */

import { shapeLog } from "./logs.ts";
import { shapeSearchResults } from "./search_results.ts";

/** Shortens text of one kind. Returns other text unchanged, because the caller compares the lengths. */
type Shaper = (text: string, maxChars: number) => string;

/** The last shaper accepts any text. */
const SHAPERS: readonly Shaper[] = [shapeSearchResults, shapeLog];

/** Target length as a share of the limit, because a result just under the limit would save little. */
export const TARGET_SHARE = 0.4;

/** As a share of the original's length. A longer result is not worthwhile. */
const WORTH_SHARE = 0.85;

/**
 * Shapes text that is longer than a limit, to about two fifths of the limit, or more if it has many errors.
 *
 * @param maxChars The limit, in UTF-16 code units.
 * @returns The shortened text, with marks for the omitted parts; null if the text is left unchanged.
 *
 * @example
 * ```ts
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 * import { shapeText } from "./shape_text.ts";
 *
 * const text = Array.from({ length: 900 }, (_, n) => `src/${n % 3}.ts:${n}: x`).join("\n");
 * assertStringIncludes(shapeText(text, 5000) ?? "", "more matches in src/0.ts");
 * assertEquals(shapeText(text, 50_000), null);
 * ```
 */
export function shapeText(text: string, maxChars: number): string | null {
  if (text.length <= maxChars) return null;
  const target = Math.floor(maxChars * TARGET_SHARE);
  for (const shape of SHAPERS) {
    const shaped = shape(text, target);
    if (shaped.length <= text.length * WORTH_SHARE) return shaped.toWellFormed();
  }
  return null;
}
