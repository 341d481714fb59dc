/** Writes the remaining part of a cut text, and the notice behind it that says where the whole is. */

import { countChars, indexOfChar, isLonger } from "../core/chars.ts";
import { fixedUnits, isPlaceOfWhole, type MarkContext, type MarkRecord } from "../core/marks.ts";
import { isWorthCutting } from "../core/need.ts";
import { grouped } from "../inject/bound.ts";
import {
  isAlreadyMasked,
  isMediaPlaceholder,
  isPlaceholderOf,
  type PlaceholderCall,
  placeholderFor,
  withPlace,
} from "./placeholder.ts";
import type { Keep } from "./trim_options.ts";

/** The line number in a notice that is only measured. */
export const SOME_LINE = 10_000;

/** Options of {@linkcode truncateContent}. */
export interface TruncateOptions {
  /** The line of the parent session that holds the full content, from 1. */
  lineNumber: number;
  /** The parent session, as `trimtab show` or a person finds it. */
  parentFile: string;
  /** Number of characters kept. */
  threshold: number;
  /** The tool whose result it is. */
  toolName?: string;
  /** Number of UTF-16 code units of a text that must stay. @default {all of a marked text} */
  fixedUnits?: (text: string) => number;
}

/** The place of the whole text, as a notice names it. */
export type NoticePlace = Pick<TruncateOptions, "lineNumber" | "parentFile">;

/** The part of a text that stays; only its writer knows the place of the whole. */
export type Left =
  /** Its start, in UTF-16 code units. */
  | { readonly headUnits: number }
  /** Passages and names of it. */
  | { readonly digest: string }
  /** One line in its place. */
  | { readonly placeholder: string };

export function leftText(text: string, left: Left, place: NoticePlace): string {
  if ("placeholder" in left) return withPlace(left.placeholder, place);
  if ("digest" in left) {
    return left.digest + digestNotice(countChars(text), countChars(left.digest), place);
  }
  const head = text.slice(0, left.headUnits);
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
 * A character is a Unicode code point, so that no surrogate pair is split. The path of an output
 * that was moved to a file always stays.
 *
 * @param content The result.
 * @param options The length that stays, and the place that the notice names.
 * @returns The head with a notice behind it; the content itself where it is no longer than the
 * threshold, is truncated already, or would not become shorter.
 * @throws {RangeError} When the threshold is not a whole number from 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { truncateContent } from "./left.ts";
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
  const { threshold, fixedUnits = markedUnits } = options;
  if (!Number.isInteger(threshold) || threshold < 0) {
    throw new RangeError(
      `Cannot truncate: threshold must be a whole number from 0, is ${threshold}`,
    );
  }
  const left = headLeft(content, threshold, fixedUnits);
  if (left === undefined) return content;
  const cut = leftText(content, left, options);
  return countChars(cut) < countChars(content) ? cut : content;
}

function headLeft(
  text: string,
  threshold: number,
  fixedUnits: (text: string) => number,
): { readonly headUnits: number } | undefined {
  if (!isLonger(text, threshold)) return undefined;
  const fixed = fixedUnits(text);
  if (fixed >= text.length) return undefined;
  return { headUnits: Math.max(fixed, indexOfChar(text, threshold)) };
}

/** A result of a call, and how it is cut. */
interface ResultCut extends PlaceholderCall {
  /** The id of the call. */
  readonly id: string;
  /** `need` keeps the head here; digests are made elsewhere. */
  readonly keep: Keep;
  readonly threshold: number;
  readonly parentFile: string;
  /** Marks of earlier trims. @default {undefined: the look of a mark decides} */
  readonly record?: MarkRecord | undefined;
}

/** Cuts a text of a result to its head or to one line; undefined if that frees too little. */
export function resultLeft(text: string, cut: ResultCut): Left | undefined {
  const { keep, id, toolName, input, threshold, record, parentFile } = cut;
  if (!isLonger(text, threshold)) return undefined;
  const isLine = keep === "line";
  const fixedUnits = fixedUnitsOf({
    record,
    part: { id, kind: "result" },
    call: { toolName, input },
    allowedChars: isLine ? 0 : threshold,
  });
  // The path of an output in a file stays.
  const left = isLine && fixedUnits(text) === 0
    ? { placeholder: placeholderFor(text, { toolName, input }) }
    : headLeft(text, isLine ? 0 : threshold, fixedUnits);
  if (left === undefined) return undefined;
  // The same decision whatever the number of the line, which a plan does not know.
  const measured = leftText(text, left, { lineNumber: SOME_LINE, parentFile });
  return isWorthCutting(countChars(text), countChars(measured)) ? left : undefined;
}

/** Returns the length that must stay of a text whose session is unknown: the look of its marks decides. */
function markedUnits(text: string): number {
  return isAlreadyMasked(text) ? text.length : fixedUnits(text);
}

type KnownContext = Omit<MarkContext, "record"> & {
  /** Marks of earlier trims; without them the look of a mark decides. */
  readonly record: MarkRecord | undefined;
  /** The call of a result, which its placeholder must fit. */
  readonly call?: PlaceholderCall;
};

/** Tells how much of a text a trim must leave, by what the session knows of earlier trims. */
export function fixedUnitsOf({ record, call, ...context }: KnownContext): (text: string) => number {
  if (record === undefined) return markedUnits;
  const known = { ...context, record };
  return (text) => {
    const isMasked = call !== undefined && isPlaceholderOf(text, call) &&
      (call.input !== undefined || isMediaPlaceholder(text) || isPlaceOfWhole(text, known));
    return isMasked ? text.length : fixedUnits(text, known);
  };
}
