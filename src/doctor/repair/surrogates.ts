/** Replaces unpaired surrogates in an entry, since the API refuses a request that contains any. */

import type { JsonObject } from "../../core/record.ts";
import { latin1Text, parseObject } from "../../transcript/entry.ts";

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Length of `\uXXXX`. */
const ESCAPE_BYTES = 6;

/** Bytes searched at a time, to bound the memory. */
const SEARCH_BYTES = 1024 * 1024;

/** First byte of a surrogate that was encoded in UTF-8, which is invalid. */
const RAW_SURROGATE = 0xed;

const REPLACEMENT_ESCAPE = new TextEncoder().encode("\\ufffd");
const REPLACEMENT_BYTES = new TextEncoder().encode("\ufffd");

export function replaceLoneSurrogates(
  bytes: Uint8Array,
): { bytes: Uint8Array; count: number } | undefined {
  if (!mayContainSurrogates(bytes)) return undefined;
  const escapes = loneEscapes(bytes);
  const raw = rawSurrogates(bytes);
  if (escapes.length + raw.length === 0) return undefined;
  const replaced = bytes.slice();
  for (const at of escapes) replaced.set(REPLACEMENT_ESCAPE, at);
  for (const at of raw) replaced.set(REPLACEMENT_BYTES, at);
  return { bytes: replaced, count: escapes.length + raw.length };
}

/** Tests cheaply; a match may be a false positive. */
function mayContainSurrogates(bytes: Uint8Array): boolean {
  for (let start = 0; start < bytes.length; start += SEARCH_BYTES) {
    const end = Math.min(bytes.length, start + SEARCH_BYTES + ESCAPE_BYTES);
    const text = latin1Text(bytes.subarray(start, end));
    if (/\\u[dD]/.test(text) || text.includes("\xed")) return true;
  }
  return false;
}

function loneEscapes(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(BACKSLASH); at >= 0;) {
    const unit = unitAt(bytes, at);
    let end = at + (unit < 0 ? 2 : ESCAPE_BYTES);
    if (isSurrogate(unit)) {
      if (isHighSurrogate(unit) && isLowSurrogate(unitAt(bytes, end))) end += ESCAPE_BYTES;
      else found.push(at);
    }
    at = bytes.indexOf(BACKSLASH, end);
  }
  return found;
}

function rawSurrogates(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(RAW_SURROGATE); at >= 0; at = bytes.indexOf(RAW_SURROGATE, at + 1)) {
    const [, second = 0, third = 0] = bytes.subarray(at, at + REPLACEMENT_BYTES.length);
    if (second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) found.push(at);
  }
  return found;
}

/** Returns the UTF-16 code unit of the `\u` escape at a position; -1 if there is none. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1;
  const digits = String.fromCharCode(...bytes.subarray(at + 2, at + ESCAPE_BYTES));
  return /^[0-9a-fA-F]{4}$/.test(digits) ? parseInt(digits, 16) : -1;
}

function isSurrogate(unit: number): boolean {
  return isHighSurrogate(unit) || isLowSurrogate(unit);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Replaces unpaired surrogates and parses the entry again, since its ids may contain surrogates too. */
export function wellFormedEntry(
  given: JsonObject,
  bytes: Uint8Array,
): { raw: JsonObject; plain: ReturnType<typeof replaceLoneSurrogates> } {
  const plain = replaceLoneSurrogates(bytes);
  if (plain === undefined) return { raw: given, plain };
  return { raw: parseObject(new TextDecoder().decode(plain.bytes)) ?? given, plain };
}
