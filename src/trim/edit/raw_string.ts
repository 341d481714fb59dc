/** Rewrites JSON strings where they stand in a file. */

import { countChars } from "../../core/chars.ts";
import type { EditList } from "./edits.ts";

/** Bytes of UTF-8 and their text of one character a byte, so that positions are shared. */
export interface RawText {
  /** From {@linkcode latin1Text}. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

// A byte order mark at the start of a string belongs to the string.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Lead bytes of UTF-8 are among these. */
const WIDE = /[\x80-\xff]/;

/** Decodes a JSON string with its quotes; empty for anything else, which is then never cut. */
export function decodeRaw(raw: RawText, start: number, end: number): string {
  const value = parseRaw(raw, start, end);
  return typeof value === "string" ? value : "";
}

/** Parses the JSON at a place; undefined if it is broken. */
export function parseRaw({ text, bytes }: RawText, start: number, end: number): unknown {
  const raw = text.slice(start, end);
  try {
    return JSON.parse(WIDE.test(raw) ? decoder.decode(bytes.subarray(start, end)) : raw);
  } catch {
    return undefined;
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
