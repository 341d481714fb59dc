/**
 * Masks one result of a tool where it stands in a transcript.
 *
 * @module
 */

import { countChars } from "../../transcript/chars.ts";
import type { EditList } from "./edits.ts";
import { generatePlaceholder, isAlreadyMasked } from "../placeholder.ts";
import { decodeRaw, type RawText } from "./raw_string.ts";
import { isTruncated, persistedHeadChars, truncateContent } from "../truncate.ts";

/** How a result is made smaller: cut to its head, or replaced by one line. */
export type TrimStyle = "truncate" | "mask";

/** How to mask. */
export interface MaskTextOptions {
  /** Up to how many characters a result stays as it is. */
  threshold: number;
  /** The tool. */
  toolName: string;
  /** The arguments of the call. */
  input: unknown;
  /** The line that the result stands on in the parent session, from 1. */
  lineNumber: number;
  /** The parent session as a notice names it. */
  parentFile: string;
}

/** Replaces a result's text by its placeholder. */
export function maskText(text: string, options: MaskTextOptions): string {
  const { threshold, toolName, input } = options;
  if (text.length <= threshold || isTruncated(text) || isAlreadyMasked(text)) return text;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  if (persistedHeadChars(text) > 0) return truncateContent(text, { ...options, threshold: 0 });
  const placeholder = generatePlaceholder(toolName, text, { input });
  return countChars(placeholder) < chars ? placeholder : text;
}

/** Masks a JSON string. */
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
