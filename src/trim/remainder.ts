/** Renders the remaining part of cut text, with a notice that refers to the full text. */

import { countChars, indexOfChar } from "../core/chars.ts";
import { fileHeadUnits, withoutCutParts } from "../core/marks.ts";
import { isWorthCutting } from "../core/need.ts";
import { grouped } from "../inject/bound.ts";
import {
  isAlreadyMasked,
  isMediaPlaceholder,
  type PlaceholderCall,
  placeholderFor,
  withPlace,
} from "./placeholder.ts";
import type { Keep } from "./trim_options.ts";

/** Line number for a notice that is only measured, because its real number is not known yet. */
export const SAMPLE_LINE = 10_000;

/** Options for {@linkcode truncateContent}. */
export interface TruncateOptions {
  /** The line of the parent session with the full content, from 1. */
  lineNumber: number;
  /** A name by which `trimtab show` or the user can find the parent session. */
  parentFile: string;
  /** Number of characters kept. */
  threshold: number;
  /** The tool that returned the result. Has no effect on the text. */
  toolName?: string;
}

export type NoticePlace = Pick<TruncateOptions, "lineNumber" | "parentFile">;

/** The remaining part of a string. The notice is added later, because its line number is not known yet. */
export type Remainder =
  | { readonly headUnits: number }
  | { readonly digest: string }
  | { readonly placeholder: string };

export function remainderText(text: string, remainder: Remainder, place: NoticePlace): string {
  if ("placeholder" in remainder) return withPlace(remainder.placeholder, place);
  if ("digest" in remainder) {
    return remainder.digest + digestNotice(countChars(text), countChars(remainder.digest), place);
  }
  const head = text.slice(0, remainder.headUnits);
  return head + truncationNotice(countChars(text), { ...place, threshold: countChars(head) });
}

export function truncationNotice(chars: number, options: TruncateOptions): string {
  return noticeText(chars, `first ${options.threshold}`, options);
}

export function digestNotice(chars: number, keptChars: number, place: NoticePlace): string {
  return noticeText(chars, `${grouped(keptChars)} in parts`, place);
}

function noticeText(chars: number, shown: string, { lineNumber, parentFile }: NoticePlace): string {
  return `\n\n[...truncated - original was ${grouped(chars)} chars, showing ${shown}. ` +
    `See line ${lineNumber} of ${parentFile} for full content]`;
}

/**
 * Truncates a tool's result.
 *
 * A character is a Unicode code point, so no surrogate pair is split. The path of an output that was moved to
 * a file is always kept.
 *
 * @param content The result.
 * @param options The length that is kept, and the place that the notice refers to.
 * @returns The head followed by a notice; the content itself if it is no longer than the threshold, is
 * already truncated, or would not become shorter.
 * @throws {RangeError} When the threshold is not a whole number of 0 or more.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { truncateContent } from "./remainder.ts";
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
      `Cannot truncate: threshold must be a whole number of 0 or more, got ${threshold}`,
    );
  }
  const cut = remainderText(
    content,
    headRemainder(content, threshold, unitsToKeep(content)),
    options,
  );
  return countChars(cut) < countChars(content) ? cut : content;
}

function headRemainder(
  text: string,
  threshold: number,
  fixed: number,
): { readonly headUnits: number } {
  return { headUnits: Math.max(fixed, indexOfChar(text, threshold)) };
}

interface ResultCut extends PlaceholderCall {
  readonly id: string;
  /** The part that is kept. Here, `need` counts as `head`, because `core/digest.ts` makes the digests. */
  readonly keep: Keep;
  readonly threshold: number;
  readonly parentFile: string;
}

export function resultRemainder(text: string, cut: ResultCut): Remainder | undefined {
  const { keep, toolName, input, threshold, parentFile } = cut;
  if (countChars(text) <= threshold) return undefined;
  const isLine = keep === "line";
  const fixed = unitsToKeep(text, cut);
  // An output that contains the path to its full text is not replaced, so that the path is kept.
  const remainder = isLine && fixed === 0
    ? { placeholder: placeholderFor(text, { toolName, input }) }
    : headRemainder(text, isLine ? 0 : threshold, fixed);
  // Measures with a fixed line number, because a plan does not know the real number.
  const measured = remainderText(text, remainder, { lineNumber: SAMPLE_LINE, parentFile });
  return isWorthCutting(countChars(text), countChars(measured)) ? remainder : undefined;
}

/** With more uncut UTF-16 code units than this, a row that joins text blocks does not count as cut. */
const MAX_UNCUT_CHARS = 10_000;

/**
 * Returns the number of UTF-16 code units to keep: all of them if an earlier trim has cut the text, or the
 * length of the head that refers to the file with the full output; 0 without such a head.
 *
 * @param call The call that returned the text. Without it, the head may belong to any call.
 */
export function unitsToKeep(text: string, call?: { readonly id: string }): number {
  return isCut(text) ? text.length : fileHeadUnits(text, call?.id);
}

function isCut(text: string): boolean {
  if (isAlreadyMasked(text)) return true;
  let uncut = withoutCutParts(text);
  if (uncut.includes(" result masked -- ")) {
    const lines = uncut.split("\n");
    uncut = lines.filter((line) => isMediaPlaceholder(line) || !isAlreadyMasked(line)).join("\n");
  }
  return uncut !== text && uncut.length <= MAX_UNCUT_CHARS;
}
