/** Masks one result of a tool: the text alone, wherever it stands. */

import { countChars } from "../core/chars.ts";
import type { MarkRecord } from "../core/marks.ts";
import { isWorthCutting } from "../core/need.ts";
import { fixedUnitsOf } from "./marks/fixed_units.ts";
import { type PlaceholderCall, placeholderFor } from "./placeholder.ts";
import { markedUnits, SOME_LINE, truncateContent, type TruncateOptions } from "./truncate.ts";

/** Makes a result smaller: to its head, to one line, or to the part that is still needed. */
export type TrimStyle = "truncate" | "mask" | "need";

export type MaskTextOptions = TruncateOptions & PlaceholderCall;

/** Computes the part of a result that stays in the styles `truncate` and `mask`. */
export type ShortenOptions = MaskTextOptions & {
  readonly style: TrimStyle;
  /** The id of the call. */
  readonly id: string;
  readonly record?: MarkRecord | undefined;
};

/** Cuts a text of a result to its head or to one line; the text itself if that frees too little. */
export function shortenResult(text: string, options: ShortenOptions): string {
  // The same decision whatever the number of the line, which a plan does not know.
  const measured = shorten(text, { ...options, lineNumber: SOME_LINE });
  if (!isWorthCutting(countChars(text), countChars(measured))) return text;
  return shorten(text, options);
}

function shorten(text: string, options: ShortenOptions): string {
  const { style, id, record, toolName, input, threshold } = options;
  const isLine = style === "mask";
  const fixed = fixedUnitsOf({
    record,
    part: { id, kind: "result" },
    call: { toolName, input },
    allowedChars: isLine ? 0 : threshold,
  });
  const how = { ...options, ...fixed };
  return isLine ? maskText(text, how) : truncateContent(text, how);
}

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
