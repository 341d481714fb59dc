/** Keeps the head of a tool's result and says what was cut. */

import { grouped } from "../inject/bound.ts";
import { countChars, indexOfChar } from "../core/chars.ts";
import { isAlreadyMasked } from "./placeholder.ts";
import { fixedUnits } from "../core/marks.ts";

/** Content of a notice. */
export interface TruncateOptions {
  /** Number of characters kept. */
  threshold: number;
  /** The tool whose result it is. */
  toolName?: string;
  /** The line of the parent session that holds the full content, from 1. */
  lineNumber: number;
  /** The parent session, as `trimtab show` or a person finds it. */
  parentFile: string;
  /** Number of UTF-16 code units of a text that must stay. @default {all of a marked text} */
  fixedUnits?: (text: string) => number;
}

/** The line number in a notice that is only measured. */
export const SOME_LINE = 10_000;

/** Returns the length that must stay of a text whose session is unknown: the look of its marks decides. */
export function markedUnits(text: string): number {
  return isAlreadyMasked(text) ? text.length : fixedUnits(text);
}

export function truncationNotice(chars: number, options: TruncateOptions): string {
  return `\n\n[...truncated - original was ${grouped(chars)} chars, showing first ` +
    `${options.threshold}. See line ${options.lineNumber} of ${options.parentFile} for full content]`;
}

export function digestNotice(
  chars: number,
  keptChars: number,
  { lineNumber, parentFile }: Pick<TruncateOptions, "lineNumber" | "parentFile">,
): string {
  return `\n\n[...truncated - original was ${grouped(chars)} chars, showing ` +
    `${grouped(keptChars)} in parts. See line ${lineNumber} of ${parentFile} for full content]`;
}

/**
 * Truncates a tool's result.
 *
 * A character is a Unicode code point, so that no surrogate pair is split. The path of an output
 * that was moved to a file stays, whatever the threshold.
 *
 * @param content The result.
 * @param options How much is kept, and what the notice says.
 * @returns The head with a notice behind it; the content itself where it is no longer than the
 * threshold, is truncated already, or would not become shorter.
 * @throws {RangeError} When the threshold is not a whole number from 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { truncateContent } from "./truncate.ts";
 *
 * const content = "x".repeat(1000);
 * const options = { threshold: 500, lineNumber: 5, parentFile: "b82405ba" };
 * assertEquals(
 *   truncateContent(content, options),
 *   "x".repeat(500) + "\n\n[...truncated - original was 1,000 chars, showing first 500. " +
 *     "See line 5 of b82405ba for full content]",
 * );
 * ```
 */
export function truncateContent(content: string, options: TruncateOptions): string {
  const { threshold } = options;
  if (!Number.isInteger(threshold) || threshold < 0) {
    throw new RangeError(
      `Cannot truncate: threshold must be a whole number from 0, is ${threshold}`,
    );
  }
  if (content.length <= threshold) return content;
  const chars = countChars(content);
  if (chars <= threshold) return content;
  const fixed = (options.fixedUnits ?? markedUnits)(content);
  if (fixed >= content.length) return content;
  const kept = Math.max(threshold, countChars(content.slice(0, fixed)));
  const notice = truncationNotice(chars, { ...options, threshold: kept });
  if (kept + notice.length >= chars) return content;
  return content.slice(0, indexOfChar(content, kept)) + notice;
}
