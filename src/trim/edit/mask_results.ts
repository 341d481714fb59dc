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

/**
 * Replaces a result's text by its placeholder.
 *
 * What the client has moved to a file keeps the file's path, with a trim notice behind it.
 *
 * @param text The text.
 * @param options How to mask.
 * @returns The placeholder; the text itself where it is no longer than the threshold, is masked or
 * truncated already, or would not become shorter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { maskText } from "./mask_results.ts";
 *
 * const options = { threshold: 500, input: { command: "make" }, lineNumber: 7, parentFile: "b824" };
 * assertEquals(
 *   maskText("x".repeat(900), { toolName: "Bash", ...options }),
 *   '[Bash result masked -- 900 bytes of output, command: "make"]',
 * );
 * ```
 */
export function maskText(text: string, options: MaskTextOptions): string {
  const { threshold, toolName, input } = options;
  if (text.length <= threshold || isTruncated(text) || isAlreadyMasked(text)) return text;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  if (persistedHeadChars(text) > 0) return truncateContent(text, { ...options, threshold: 0 });
  const placeholder = generatePlaceholder(toolName, text, { input });
  return countChars(placeholder) < chars ? placeholder : text;
}

/**
 * Masks a JSON string.
 *
 * @param raw What holds the string.
 * @param start The opening quote.
 * @param end Behind the closing quote.
 * @param edits Where the edit goes.
 * @param options How to mask.
 * @returns How many characters fewer the string holds; 0 where it stays as it is.
 */
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
