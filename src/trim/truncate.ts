/** Keeps the head of a tool's result and says what was cut. */

import { grouped } from "../inject/bound.ts";
import { countChars, indexOfChar } from "../transcript/chars.ts";
import { isAlreadyMasked } from "./placeholder.ts";
import { shapedHeadUnits } from "../inject/shaped_notice.ts";

/** How a trim notice looks; it always ends a text. */
const NOTICE =
  /\n\n\[\.\.\.truncated - original was [\d,]+ chars, showing (?:first [\d,]+|[\d,]+ in parts)\. See line \d+ of [^\n]{1,4096} for full content\]$/;

/** No notice is longer, in characters: what {@linkcode isTruncated} looks at. */
export const MAX_NOTICE_CHARS = 4200;

/** What the client writes in place of an output that it has moved to a file. */
const PERSISTED_START = "<persisted-output>";

/** Behind this stands the preview, which may go; before it the path, which must stay. */
const PREVIEW_START = "\n\nPreview (";

/** Beyond this many characters no path is looked for. */
const MAX_PERSISTED_HEAD_CHARS = 4200;

/** What a notice says. */
export interface TruncateOptions {
  /** How many characters are kept. */
  threshold: number;
  /** The tool whose result it is. */
  toolName?: string;
  /** The line of the parent session that holds the full content, from 1. */
  lineNumber: number;
  /** The parent session, as `trimtab show` or a person finds it. */
  parentFile: string;
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

export function isTruncated(text: string): boolean {
  return text.endsWith(" for full content]") && NOTICE.test(text.slice(-MAX_NOTICE_CHARS));
}

/**
 * Truncates a tool's result.
 *
 * A character is a Unicode code point, so that no surrogate pair is split. The path of an output
 * that the client has moved to a file stays, whatever the threshold.
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
  if (isTruncated(content) || isAlreadyMasked(content)) return content;
  const chars = countChars(content);
  if (chars <= threshold) return content;
  const kept = Math.max(threshold, persistedHeadChars(content));
  const notice = truncationNotice(chars, { ...options, threshold: kept });
  if (kept + notice.length >= chars) return content;
  return content.slice(0, indexOfChar(content, kept)) + notice;
}

/** Tells how much of a result must stay so that the path of the full output does. */
export function persistedHeadChars(content: string): number {
  if (!content.startsWith(PERSISTED_START)) {
    return countChars(content.slice(0, shapedHeadUnits(content)));
  }
  const preview = content.slice(0, MAX_PERSISTED_HEAD_CHARS).indexOf(PREVIEW_START);
  return preview < 0 ? 0 : countChars(content.slice(0, preview));
}
