/** Reads very long lines without keeping all of their text in memory. */

import { parseObject } from "../core/record.ts";
import { canHoldObject, type PlacedEntry, placeEntries, viewEntry } from "./entry.ts";

/** In a longer line, long strings are shortened before the line is parsed. */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;

/** Bytes kept of each string in a long line. Text that trimtab quotes is shorter. */
export const LONG_TEXT_BYTES = 256 * 1024;

const decoder = new TextDecoder();

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function readBriefly(bytes: Uint8Array): PlacedEntry[] {
  if (bytes.length > LONG_LINE_BYTES && canHoldObject(bytes)) {
    const whole = parseObject(withShortTexts(bytes));
    if (whole !== undefined) return [{ entry: viewEntry(whole), start: 0, end: bytes.length }];
  }
  return placeEntries(bytes);
}

function withShortTexts(bytes: Uint8Array): string {
  let json = "";
  let from = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0;) {
    const close = closingQuote(bytes, open + 1);
    if (close - open > LONG_TEXT_BYTES) {
      // Neither an escape nor a character contains a space. Base64 has no spaces, but can be cut anywhere.
      const space = bytes.lastIndexOf(SPACE, open + LONG_TEXT_BYTES);
      const cut = space > open ? space : open + LONG_TEXT_BYTES;
      json += decoder.decode(bytes.subarray(from, cut));
      from = close;
    }
    open = bytes.indexOf(QUOTE, close + 1);
  }
  return json + decoder.decode(bytes.subarray(from));
}

function closingQuote(bytes: Uint8Array, start: number): number {
  let quote = bytes.indexOf(QUOTE, start);
  while (quote >= 0 && isEscaped(bytes, quote)) quote = bytes.indexOf(QUOTE, quote + 1);
  return quote < 0 ? bytes.length : quote;
}

function isEscaped(bytes: Uint8Array, quote: number): boolean {
  let start = quote;
  while (bytes[start - 1] === BACKSLASH) start--;
  return (quote - start) % 2 === 1;
}
