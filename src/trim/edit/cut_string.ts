/** Cuts one JSON string where it stands in a transcript. */

import { countChars } from "../../transcript/chars.ts";
import type { EditList } from "./edits.ts";
import { isAlreadyMasked } from "../placeholder.ts";
import { decodeRaw, escapeRaw, measureRaw, type RawText } from "./raw_string.ts";
import { SHAPED_START } from "./shaped_notice.ts";
import { digestNotice, isTruncated, persistedHeadChars, truncationNotice } from "../truncate.ts";

/** How a truncated string ends, quote and all: a cheap first look. */
const NOTICE_END = ' for full content]"';

/** How the client's note on an output moved to a file starts: a cheap first look. */
const PERSISTED_START = "<persisted-output>";

/** Behind so many raw characters no note on an output that was shaped begins. */
const SHAPED_START_RAW = 120;

/** No placeholder is longer, escapes and all: what it quotes is bounded. */
const MAX_PLACEHOLDER_RAW = 16 * 1024;

/** How much of such a note is decoded to find its path, in raw characters. */
const PERSISTED_HEAD_RAW = 8 * 1024;

export interface CutOptions {
  /** How many characters stay. */
  threshold: number;
  /** The line that the string stands on in the parent session, from 1. */
  lineNumber: number;
  /** The parent session as the notice names it. */
  parentFile: string;
}

/**
 * Cuts a string down to the threshold, with a notice behind it, the same as `truncateContent` does
 * with its decoded form.
 */
export function cutString(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: CutOptions,
): number {
  const { threshold } = options;
  const first = start + 1;
  const last = end - 1;
  // A character takes a byte at least.
  if (last - first <= threshold || isCutAlready(raw, start, end)) return 0;
  let kept = measureRaw(raw, first, last, threshold);
  if (kept.end === last) return 0;
  const chars = kept.chars + measureRaw(raw, kept.end, last).chars;
  const mustStay = persistedChars(raw, first, last);
  if (mustStay > threshold) kept = measureRaw(raw, first, last, mustStay);
  const notice = truncationNotice(chars, { ...options, threshold: kept.chars });
  const saved = chars - kept.chars - countChars(notice);
  if (saved <= 0) return 0;
  edits.add(kept.end, last, escapeRaw(notice));
  return saved;
}

/** Puts what is left of a string in its place, with a notice behind it. */
export function replaceString(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: Omit<CutOptions, "threshold"> & { left: string },
): number {
  if (isCutAlready(raw, start, end)) return 0;
  const { left } = options;
  const { chars } = measureRaw(raw, start + 1, end - 1);
  const keptChars = countChars(left);
  const notice = digestNotice(chars, keptChars, options);
  const saved = chars - keptChars - countChars(notice);
  if (saved <= 0) return 0;
  edits.add(start, end, JSON.stringify(left + notice));
  return saved;
}

function isCutAlready(raw: RawText, start: number, end: number): boolean {
  const { text } = raw;
  const looksTruncated = text.startsWith(NOTICE_END, end - NOTICE_END.length);
  const looksMasked = end - start <= MAX_PLACEHOLDER_RAW && text[start + 1] === "[" &&
    text[end - 2] === "]";
  if (!looksTruncated && !looksMasked) return false;
  const content = decodeRaw(raw, start + 1, end - 1);
  return isTruncated(content) || isAlreadyMasked(content);
}

function persistedChars(raw: RawText, first: number, last: number): number {
  const { text } = raw;
  const isNote = text.startsWith(PERSISTED_START, first) ||
    text.slice(first, first + SHAPED_START_RAW).includes(SHAPED_START);
  if (!isNote) return 0;
  const head = measureRaw(raw, first, Math.min(last, first + PERSISTED_HEAD_RAW));
  // Where the bound falls into an escape, what is left of it is no valid JSON.
  return persistedHeadChars(decodeRaw(raw, first, Math.min(head.end, last)));
}
