/** Splits a line of a transcript into readable entries and the rest. */

import type { JsonObject } from "../../core/record.ts";
import { canHoldObject, latin1Text, parseObject, type TextRange } from "../../transcript/entry.ts";
import { skipSpace, skipValue } from "../../transcript/json_scan.ts";
import { LONG_LINE_BYTES, LONG_TEXT_BYTES, shortenTexts } from "../../transcript/long_lines.ts";

interface LinePiece extends TextRange {
  raw: JsonObject;
  /** Whether long strings in `raw` are shortened, because the line is very long. */
  isBrief?: true;
}

export interface LineParts {
  pieces: LinePiece[];
  junk: TextRange[];
  nulCount: number;
}

/** Matches the start of an entry or of a nested object; {@linkcode entryAt} checks the fields. */
const ENTRY_START =
  /\{"(?:parentUuid|type|uuid|sessionId|session_id|isSidechain|leafUuid|messageId|agentId)":/g;

/** Most entry starts tried on a broken line, since each try may scan the rest of the line. */
const MAX_TRIES = 100;

const NUL = 0;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const ESCAPES = new Set(new TextEncoder().encode('"\\/bfnrtu'));

const decoder = new TextDecoder();

export function splitLine(bytes: Uint8Array): LineParts {
  const whole = readWhole(bytes);
  if (whole !== undefined) return { pieces: [whole], junk: [], nulCount: 0 };
  const parts: LineParts = { pieces: [], junk: [], nulCount: countNul(bytes) };
  const text = latin1Text(bytes);
  let tries = 0;
  let at = skipBlank(text, 0);
  while (at < text.length) {
    let next = pieceAt(bytes, text, at);
    if (next === undefined) {
      const junkStart = at;
      ENTRY_START.lastIndex = at + 1;
      do {
        at = ENTRY_START.exec(text)?.index ?? text.length;
        next = at === text.length ? undefined : entryAt(bytes, text, at);
      } while (next === undefined && at < text.length && ++tries < MAX_TRIES);
      if (next === undefined) at = text.length;
      parts.junk.push({ start: junkStart, end: at });
    }
    if (next === undefined) break;
    parts.pieces.push(next);
    at = skipBlank(text, next.end);
  }
  return parts;
}

function readWhole(bytes: Uint8Array): LinePiece | undefined {
  const place = { start: 0, end: bytes.length };
  if (bytes.length <= LONG_LINE_BYTES) {
    const raw = parseObject(decoder.decode(bytes));
    return raw === undefined ? undefined : { raw, ...place };
  }
  // Shortens long strings before parsing, to save memory; the removed parts are checked separately.
  if (!canHoldObject(bytes)) return undefined;
  const cuts: TextRange[] = [];
  const short = shortenTexts(bytes, LONG_TEXT_BYTES, (cut) => cuts.push(cut));
  if (!cuts.every(({ start, end }) => isInText(bytes, start, end))) return undefined;
  const raw = parseObject(decoder.decode(short));
  return raw === undefined ? undefined : { raw, ...place, isBrief: true };
}

function isInText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? NUL;
    if (byte < SPACE) return false;
    if (byte !== BACKSLASH) continue;
    const escape = bytes[++at] ?? NUL;
    if (!ESCAPES.has(escape)) return false;
    if (escape !== LETTER_U) continue;
    for (let digits = 0; digits < 4; digits++) {
      if (!isHexDigit(bytes[++at] ?? NUL)) return false;
    }
  }
  return true;
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/** Skips white space and NUL bytes. */
function skipBlank(text: string, from: number): number {
  let at = skipSpace(text, from, text.length);
  while (text.charCodeAt(at) === NUL) at = skipSpace(text, at + 1, text.length);
  return at;
}

function pieceAt(bytes: Uint8Array, text: string, start: number): LinePiece | undefined {
  if (text[start] !== "{") return undefined;
  const end = skipValue(text, start, text.length);
  const raw = end < 0 ? undefined : parseObject(decoder.decode(bytes.subarray(start, end)));
  return raw === undefined ? undefined : { raw, start, end };
}

/** Reads an entry after broken text; returns `undefined` for an object nested in a torn entry. */
function entryAt(bytes: Uint8Array, text: string, start: number): LinePiece | undefined {
  const piece = pieceAt(bytes, text, start);
  if (piece === undefined) return undefined;
  const { raw } = piece;
  const afterPiece = skipBlank(text, piece.end);
  if (afterPiece < text.length && text[afterPiece] !== "{") return undefined;
  const ids = [raw.sessionId, raw.session_id, raw.uuid, raw.leafUuid, raw.messageId];
  const isEntry = typeof raw.type === "string" && ids.some((id) => typeof id === "string");
  return isEntry ? piece : undefined;
}

function countNul(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, at + 1)) count++;
  return count;
}
