/** Rewrites JSON strings where they stand in a file. */

import { countChars } from "../../transcript/chars.ts";
import type { EditList } from "./edits.ts";

/** Bytes of UTF-8, and the same as text of one character a byte, so that positions are shared. */
export interface RawText {
  /** The text, one character a byte. */
  text: string;
  bytes: Uint8Array;
}

// A mark at the start of a string is a character of it, not of the file.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the inside of a JSON string; what is none is empty, and so is never cut. */
export function decodeRaw(raw: RawText, start: number, end: number): string {
  try {
    return String(JSON.parse(`"${decoder.decode(raw.bytes.subarray(start, end))}"`));
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
  const text = decodeRaw(raw, start + 1, end - 1);
  const left = rewrite(text);
  if (left === text) return 0;
  edits.add(start, end, JSON.stringify(left));
  return countChars(text) - countChars(left);
}
