/** Parses transcript entries. A field of an unexpected type counts as absent. */

import { isObject, type JsonObject, parseObject } from "../core/record.ts";
import { skipSpace, skipValue } from "./json_scan.ts";

export interface Entry {
  raw: JsonObject;
  /** For example `user`, `assistant`, `system`, `attachment` or `progress`. */
  type: string | undefined;
  subtype: string | undefined;
  uuid: string | undefined;
  parentUuid: string | null | undefined;
  sessionId: string | undefined;
  /** Whether a subagent wrote the entry. */
  isSidechain: boolean;
  timestamp: string | undefined;
  message: JsonObject | undefined;
}

export interface NumberedEntry {
  readonly entry: Entry;
  /** The line number, from 1; null if unknown. */
  readonly line: number | null;
  /** Whether the entry belongs to a turn in which the user only asked for a save. */
  readonly isSave?: boolean;
}

const decoder = new TextDecoder();

const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const NON_ASCII = 0x80;

export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function viewEntry(raw: JsonObject): Entry {
  return {
    raw,
    type: asString(raw.type),
    subtype: asString(raw.subtype),
    uuid: asString(raw.uuid),
    parentUuid: raw.parentUuid === null ? null : asString(raw.parentUuid),
    sessionId: asString(raw.sessionId),
    isSidechain: raw.isSidechain === true,
    timestamp: asString(raw.timestamp),
    message: isObject(raw.message) ? raw.message : undefined,
  };
}

const MESSAGE_TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "attachment", "system"]);

export function isMessage({ type }: Entry): boolean {
  return MESSAGE_TYPES.has(type);
}

/** Returns the complete entries at the start of a line, which can lack newlines between several. */
export function readEntries(bytes: Uint8Array): Entry[] {
  return placeEntries(bytes).map(({ entry }) => entry);
}

export function entriesIn(line: string): Entry[] {
  const whole = parseObject(line);
  if (whole !== undefined) return [viewEntry(whole)];
  return leadingEntries(line, (start, end) => line.slice(start, end)).map(({ entry }) => entry);
}

export interface PlacedEntry extends TextRange {
  entry: Entry;
}

export function placeEntries(bytes: Uint8Array): PlacedEntry[] {
  // Checks the first bytes, because a failed parse takes longer than parsing a typical line.
  if (!canHoldObject(bytes)) return [];
  const whole = parseObject(decoder.decode(bytes));
  if (whole !== undefined) return [{ entry: viewEntry(whole), start: 0, end: bytes.length }];
  // With one character per byte, positions in the text are byte positions in the line.
  const byteText = latin1Text(bytes);
  return leadingEntries(byteText, (start, end) => decoder.decode(bytes.subarray(start, end)));
}

function leadingEntries(
  text: string,
  textAt: (start: number, end: number) => string,
): PlacedEntry[] {
  const placed: PlacedEntry[] = [];
  for (let position = skipSpace(text, 0, text.length); text[position] === "{";) {
    const end = skipValue(text, position, text.length);
    const raw = end < 0 ? undefined : parseObject(textAt(position, end));
    if (raw === undefined) break;
    placed.push({ entry: viewEntry(raw), start: position, end });
    position = skipSpace(text, end, text.length);
  }
  return placed;
}

/** Whether the first byte is a brace, ignoring white space and non-ASCII bytes such as a byte order mark. */
export function canHoldObject(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    const isSkipped = byte === SPACE || (byte >= TAB && byte <= RETURN) || byte >= NON_ASCII;
    if (!isSkipped) return byte === OPEN_BRACE;
  }
  return false;
}

let latin1: TextDecoder | undefined;

/** Decodes each byte to one character. Bytes that are not ASCII or lead bytes may change. */
export function latin1Text(bytes: Uint8Array): string {
  // Creates the decoder on first use, because the client's runtime lacks it.
  latin1 ??= new TextDecoder("latin1");
  return latin1.decode(bytes);
}

interface ExactJson {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): JsonObject;
}

/** Parses an entry so that its numbers are written back unchanged, such as 1.0 or 12345678901234567890. */
export function parseExactly(text: string): JsonObject {
  const { parse, rawJSON } = JSON as unknown as ExactJson;
  try {
    return parse(
      text,
      (_, value, { source = "" }) =>
        typeof value === "number" && String(value) !== source ? rawJSON(source) : value,
    );
  } catch {
    // A reviver recurses, so deep nesting overflows the stack. The numbers of such an entry may change.
    return JSON.parse(text);
  }
}

export function jsonText(value: unknown, indent = 0): string {
  for (const space of new Set([indent, 0])) {
    try {
      // With an indent argument, even 0, `JSON.stringify` recurses, so deep nesting overflows the stack.
      return (space === 0 ? JSON.stringify(value) : JSON.stringify(value, null, space)) ?? "";
    } catch {
      // The next attempt uses less stack space.
    }
  }
  return "";
}

export interface TextRange {
  start: number;
  end: number;
}
