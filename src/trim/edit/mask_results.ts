/** Masks one result of a tool where it stands in a transcript. */

import { countChars } from "../../transcript/chars.ts";
import type { EditList } from "./edits.ts";
import { maskText, type MaskTextOptions } from "../mask_text.ts";
import { decodeRaw, type RawText } from "./raw_string.ts";

export function maskString(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: MaskTextOptions,
): number {
  // A character takes a byte at least.
  if (end - start - 2 <= options.threshold) return 0;
  const text = decodeRaw(raw, start + 1, end - 1);
  const masked = maskText(text, options);
  if (masked === text) return 0;
  edits.add(start, end, JSON.stringify(masked));
  return countChars(text) - countChars(masked);
}
