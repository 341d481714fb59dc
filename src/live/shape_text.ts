/** Chooses the shaper for a text by looking at it. */

import { shapeFileList } from "./file_list.ts";
import { shapeJson } from "./json_text.ts";
import { shapeLog } from "./logs.ts";
import { shapeRepeats } from "./repeats.ts";
import { shapeSearchResults } from "./search_results.ts";
import { shapeTestOutput } from "./test_output.ts";

type ShapeKind = "json" | "files" | "search" | "tests" | "repeats" | "log" | "file";

/** A shaped text. */
export interface ShapedText {
  /** The shaper that was used. */
  readonly kind: ShapeKind;
  /** The remaining text, with marks for omitted parts. */
  readonly text: string;
}

/** A shaper; it returns a text of another kind unchanged, and the caller compares lengths. */
type Shaper = (text: string, maxChars: number) => string;

/** Shapers from the most specific to the one that takes anything. */
const SHAPERS: readonly (readonly [kind: ShapeKind, shape: Shaper])[] = [
  ["json", shapeJson],
  ["files", shapeFileList],
  ["search", shapeSearchResults],
  ["tests", shapeTestOutput],
  ["repeats", shapeRepeats],
  ["log", shapeLog],
];

/** Target length as a share of the limit; a result just under the limit would save little. */
export const TARGET_SHARE = 0.4;

/** Longest shaped text that is worthwhile, as a share of the original's length. */
const WORTH_SHARE = 0.85;

/**
 * Shapes a text that exceeds a limit.
 *
 * @param text The text.
 * @param maxChars Longest text that stays unchanged, in UTF-16 code units; a longer one is shaped to
 * about two fifths of that, or more if it has many errors.
 * @returns The shaped text; null if the text stays unchanged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { shapeText } from "./shape_text.ts";
 *
 * const text = Array.from({ length: 900 }, (_, n) => `src/${n % 3}/${n}.ts`).join("\n");
 * assertEquals(shapeText(text, 5000)?.kind, "files");
 * assertEquals(shapeText(text, 50_000), null);
 * ```
 */
export function shapeText(text: string, maxChars: number): ShapedText | null {
  if (text.length <= maxChars) return null;
  const target = Math.floor(maxChars * TARGET_SHARE);
  for (const [kind, shape] of SHAPERS) {
    const shaped = shape(text, target);
    if (shaped.length <= text.length * WORTH_SHARE) return { kind, text: shaped.toWellFormed() };
  }
  return null;
}
