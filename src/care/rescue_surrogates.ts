/**
 * Finds halves of surrogate pairs in the bytes of an entry. A request that holds one is no valid
 * JSON to the API.
 *
 * @module
 */

import { type JsonObject, parseObject } from "../transcript/entry.ts";
import { latin1Of } from "../trim/tool_names.ts";

/** An escaped backslash, a pair of escapes, or one half alone. */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})/g;

/** A half written as if it were a character. */
const RAW_HALF = /\xed[\xa0-\xbf][\x80-\xbf]/g;

/** The sign for what cannot be read, as an escape and as UTF-8. */
const REPLACEMENT_ESCAPE = new TextEncoder().encode("\\ufffd");
const REPLACEMENT_BYTES = new TextEncoder().encode("\ufffd");

/**
 * Replaces halves of surrogate pairs by U+FFFD. Nothing moves: both are as long as what they replace.
 *
 * @param bytes The entry's bytes, which stay as they are.
 * @returns The entry without such halves and how many there were; `undefined` where there are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { replaceLoneSurrogates } from "./rescue_surrogates.ts";
 *
 * const bytes = new TextEncoder().encode(String.raw`"\ud83d\ude00 \ud83d \\ud83d"`);
 * const found = replaceLoneSurrogates(bytes);
 * assertEquals(found?.count, 1);
 * assertEquals(new TextDecoder().decode(found?.bytes), String.raw`"\ud83d\ude00 \ufffd \\ud83d"`);
 * ```
 */
export function replaceLoneSurrogates(
  bytes: Uint8Array,
): { bytes: Uint8Array; count: number } | undefined {
  const text = latin1Of(bytes, 0, bytes.length);
  const escapes = /\\u[dD]/.test(text)
    ? [...text.matchAll(ESCAPES)].filter(([, half]) => half !== undefined)
    : [];
  const raw = text.includes("\xed") ? [...text.matchAll(RAW_HALF)] : [];
  if (escapes.length + raw.length === 0) return undefined;
  const replaced = bytes.slice();
  for (const { index } of escapes) replaced.set(REPLACEMENT_ESCAPE, index);
  for (const { index } of raw) replaced.set(REPLACEMENT_BYTES, index);
  return { bytes: replaced, count: escapes.length + raw.length };
}

/**
 * Reads an entry as its repaired copy will have it: an id with half a pair in it gets another
 * character, and is looked for by that.
 *
 * Permissions: none.
 *
 * @param given The entry as it stands.
 * @param bytes Its bytes.
 * @returns The entry, and what {@linkcode replaceLoneSurrogates} says of its bytes.
 */
export function wellFormedEntry(
  given: JsonObject,
  bytes: Uint8Array,
): { raw: JsonObject; plain: ReturnType<typeof replaceLoneSurrogates> } {
  const plain = replaceLoneSurrogates(bytes);
  if (plain === undefined) return { raw: given, plain };
  return { raw: parseObject(new TextDecoder().decode(plain.bytes)) ?? given, plain };
}
