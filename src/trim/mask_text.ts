/** Masks one result of a tool: the text alone, wherever it stands. */

import { countChars } from "../core/chars.ts";
import { type PlaceholderCall, placeholderFor } from "./placeholder.ts";
import { markedUnits, truncateContent, type TruncateOptions } from "./truncate.ts";

/** How a result is made smaller: to its head, to one line, or to what is still needed of it. */
export type TrimStyle = "truncate" | "mask" | "need";

export type MaskTextOptions = TruncateOptions & PlaceholderCall;

export function maskText(text: string, options: MaskTextOptions): string {
  const { threshold, fixedUnits = markedUnits } = options;
  if (text.length <= threshold) return text;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  // The path of an output in a file stays.
  if (fixedUnits(text) > 0) return truncateContent(text, { ...options, threshold: 0 });
  const placeholder = placeholderFor(text, options);
  return countChars(placeholder) < chars ? placeholder : text;
}
