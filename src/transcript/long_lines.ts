/** Reads very long lines without keeping all of their text in memory. */

import { parseObject } from "../core/record.ts";
import { canHoldObject, type PlacedEntry, placeEntries, viewEntry } from "./entry.ts";

/** In a longer line, long strings are shortened before the line is parsed. */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;

/** Bytes kept of each string in a long line. Text that trimtab quotes is shorter. */
export const LONG_TEXT_BYTES = 256 * 1024;

const MAX_ESCAPE_BYTES = 6;

const decoder = new TextDecoder();

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

export function readBriefly(bytes: Uint8Array): PlacedEntry[] {
  if (bytes.length > LONG_LINE_BYTES && canHoldObject(bytes)) {
    const whole = parseObject(decoder.decode(shortenTexts(bytes, LONG_TEXT_BYTES)));
    if (whole !== undefined) return [{ entry: viewEntry(whole), start: 0, end: bytes.length }];
  }
  return placeEntries(bytes);
}

export function shortenTexts(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0;) {
    const close = closingQuote(bytes, open + 1);
    if (close - open - 1 > maxBytes) {
      const cut = safeCut(bytes, open + 1, open + 1 + maxBytes);
      kept.push(bytes.subarray(from, cut));
      from = close;
    }
    open = bytes.indexOf(QUOTE, close + 1);
  }
  kept.push(bytes.subarray(from));
  const result = new Uint8Array(kept.reduce((sum, part) => sum + part.length, 0));
  let filled = 0;
  for (const part of kept) {
    result.set(part, filled);
    filled += part.length;
  }
  return result;
}

function closingQuote(bytes: Uint8Array, start: number): number {
  let quote = bytes.indexOf(QUOTE, start);
  while (quote >= 0 && backslashesBefore(bytes, start, quote) % 2 === 1) {
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return quote < 0 ? bytes.length : quote;
}

function backslashesBefore(bytes: Uint8Array, start: number, end: number): number {
  let index = end;
  while (index > start && bytes[index - 1] === BACKSLASH) index--;
  return end - index;
}

/** Returns the last position up to `wanted` that is not inside an escape or a character. */
function safeCut(bytes: Uint8Array, start: number, wanted: number): number {
  for (let index = wanted - 1; index >= Math.max(start, wanted - MAX_ESCAPE_BYTES); index--) {
    if (bytes[index] !== BACKSLASH || backslashesBefore(bytes, start, index) % 2 === 1) continue;
    const length = bytes[index + 1] === LETTER_U ? MAX_ESCAPE_BYTES : 2;
    if (index + length > wanted) return index;
    break;
  }
  let cut = wanted;
  while (cut > start && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}
