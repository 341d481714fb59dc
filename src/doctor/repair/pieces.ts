/** Splits a line of a transcript into readable entries and unreadable bytes. */

import { type JsonObject, parseObject } from "../../core/record.ts";
import { canHoldObject, latin1Text, type TextRange } from "../../transcript/entry.ts";
import { skipSpace, skipValue } from "../../transcript/json_scan.ts";

export interface LinePiece extends TextRange {
  raw: JsonObject;
}

export interface LineParts {
  pieces: LinePiece[];
  junk: TextRange[];
  nulCount: number;
}

/** Matches the start of an entry or of a nested object; {@linkcode entryAt} checks the fields. */
const ENTRY_START =
  /\{"(?:parentUuid|type|uuid|sessionId|session_id|isSidechain|leafUuid|messageId|agentId)":/g;

/** Maximum number of entry starts tried on a broken line, since each try may scan the rest of the line. */
const MAX_TRIES = 100;

const decoder = new TextDecoder();

export function splitLine(bytes: Uint8Array): LineParts {
  const raw = canHoldObject(bytes) ? parseObject(decoder.decode(bytes)) : undefined;
  if (raw !== undefined) {
    return { pieces: [{ raw, start: 0, end: bytes.length }], junk: [], nulCount: 0 };
  }
  const text = latin1Text(bytes);
  const nulCount = text.length - text.replaceAll("\0", "").length;
  const parts: LineParts = { pieces: [], junk: [], nulCount };
  let tries = 0;
  let position = skipBlank(text, 0);
  while (position < text.length) {
    let next = pieceAt(bytes, text, position);
    if (next === undefined) {
      const junkStart = position;
      ENTRY_START.lastIndex = position + 1;
      do {
        position = ENTRY_START.exec(text)?.index ?? text.length;
        next = position === text.length ? undefined : entryAt(bytes, text, position);
      } while (next === undefined && position < text.length && ++tries < MAX_TRIES);
      if (next === undefined) position = text.length;
      parts.junk.push({ start: junkStart, end: position });
    }
    if (next === undefined) break;
    parts.pieces.push(next);
    position = skipBlank(text, next.end);
  }
  return parts;
}

function skipBlank(text: string, from: number): number {
  let position = skipSpace(text, from, text.length);
  while (text[position] === "\0") position = skipSpace(text, position + 1, text.length);
  return position;
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
