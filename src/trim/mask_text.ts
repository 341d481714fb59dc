/** Masks one result of a tool: the text alone, wherever it stands. */

import { countChars } from "../transcript/chars.ts";
import { generatePlaceholder, isAlreadyMasked } from "./placeholder.ts";
import { isTruncated, persistedHeadChars, truncateContent } from "./truncate.ts";

/** How a result is made smaller: to its head, to one line, or to what is still needed of it. */
export type TrimStyle = "truncate" | "mask" | "need";

export interface MaskTextOptions {
  threshold: number;
  toolName: string;
  input: unknown;
  /** The line that the result stands on in the parent session, from 1. */
  lineNumber: number;
  parentFile: string;
}

export function maskText(text: string, options: MaskTextOptions): string {
  const { threshold, toolName, input } = options;
  if (text.length <= threshold || isTruncated(text) || isAlreadyMasked(text)) return text;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  if (persistedHeadChars(text) > 0) return truncateContent(text, { ...options, threshold: 0 });
  const placeholder = generatePlaceholder(toolName, text, { input });
  return countChars(placeholder) < chars ? placeholder : text;
}
