/** Rewrites JSON strings where they stand in a file. */

import { countChars } from "../../core/chars.ts";
import type { EditList } from "./edits.ts";

/** Bytes of UTF-8, and the same as text of one character a byte, so that positions are shared. */
export interface RawText {
  /** The text, one character a byte. */
  text: string;
  bytes: Uint8Array;
}

// A mark at the start of a string is a character of it, not of the file.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What is not the same as a byte and as a character. */
const WIDE = /[\x80-\xff]/;

/** Decodes a JSON string with its quotes; what is none is empty, and so is never cut. */
export function decodeRaw(raw: RawText, start: number, end: number): string {
  const text = raw.text.slice(start, end);
  try {
    return String(
      JSON.parse(WIDE.test(text) ? decoder.decode(raw.bytes.subarray(start, end)) : text),
    );
  } catch {
    return "";
  }
}

/** Rewrites the string between two quotes, and tells how many characters shorter it is. */
export function rewriteString(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  rewrite: (text: string) => string,
): number {
  const text = decodeRaw(raw, start, end);
  const left = rewrite(text);
  if (left === text) return 0;
  edits.add(start, end, JSON.stringify(left));
  return countChars(text) - countChars(left);
}
