/**
 * Measures and cuts JSON strings as they stand in a file, escapes and all, one character a byte.
 */

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** The bytes that start a character which UTF-16 takes two units for. */
const LONG_LEADS = ["\xf0", "\xf1", "\xf2", "\xf3", "\xf4"];

/** Such a character as UTF-8 has it; anything else is invalid and read as one unit a piece. */
const LONG_SEQUENCE =
  /\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/y;

/** How much is decoded at a time just to be counted, in bytes. */
const MAX_DECODED_BYTES = 1024 * 1024;

interface RawStretch {
  /** How many characters (Unicode code points) it holds. */
  chars: number;
  /** The position behind it. */
  end: number;
}

/** Bytes of UTF-8, and the same as text of one character a byte, so that positions are shared. */
export interface RawText {
  /** The text, one character a byte. */
  text: string;
  bytes: Uint8Array;
}

// A mark at the start of a string is a character of it, not of the file.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Measures a raw string up to a number of characters. */
export function measureRaw(
  raw: RawText,
  start: number,
  end: number,
  maxChars = Infinity,
): RawStretch {
  if (end - start > maxChars) return measureHead(raw, start, end, maxChars);
  // All of it is wanted: decoding and searching natively is many times faster than a loop.
  const { text, bytes } = raw;
  let chars = end - start;
  const length = decodedLength(bytes.subarray(start, end));
  if (length < chars) chars = length - countLongSequences(text.slice(start, end));
  let at = text.indexOf("\\", start);
  while (at >= 0 && at < end) {
    const next = skipEscape(text, at, end);
    chars -= next - at - 1;
    at = text.indexOf("\\", next);
  }
  return { chars, end };
}

/** Counts UTF-16 units, and never holds all of a very long text. */
function decodedLength(bytes: Uint8Array): number {
  if (bytes.length <= MAX_DECODED_BYTES) return decoder.decode(bytes).length;
  const pieces = new TextDecoder("utf-8", { ignoreBOM: true });
  let length = 0;
  for (let at = 0; at < bytes.length; at += MAX_DECODED_BYTES) {
    const piece = bytes.subarray(at, at + MAX_DECODED_BYTES);
    length += pieces.decode(piece, { stream: true }).length;
  }
  return length + pieces.decode().length;
}

/** Counts the characters that UTF-16 takes two units for, by the bytes that start them. */
function countLongSequences(text: string): number {
  let count = 0;
  for (const lead of LONG_LEADS) {
    for (let at = text.indexOf(lead); at >= 0; at = text.indexOf(lead, at + 1)) {
      LONG_SEQUENCE.lastIndex = at;
      if (LONG_SEQUENCE.test(text)) count++;
    }
  }
  return count;
}

/** Stops at so many characters; what is invalid counts as one with all that could belong to it. */
function measureHead(raw: RawText, start: number, end: number, maxChars: number): RawStretch {
  const { text, bytes } = raw;
  let chars = 0;
  let at = start;
  while (at < end && chars < maxChars) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) at = skipEscape(text, at, end);
    else {
      at++;
      while (byte >= 0x80 && at < end && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
    }
    chars++;
  }
  return { chars, end: Math.min(at, end) };
}

/** Goes over an escape, or over both halves of a pair of them. */
function skipEscape(text: string, at: number, end: number): number {
  if (text.charCodeAt(at + 1) !== LOWER_U) return at + 2;
  const next = at + 6;
  if (!isSurrogate(text, at, "89ab") || next >= end) return next;
  if (text.charCodeAt(next) !== BACKSLASH || text.charCodeAt(next + 1) !== LOWER_U) return next;
  return isSurrogate(text, next, "cdef") ? next + 6 : next;
}

/** Whether a `\u` escape is a half of a pair: `d`, then one of the digits that tell which. */
function isSurrogate(text: string, at: number, seconds: string): boolean {
  const first = text[at + 2];
  const second = text[at + 3];
  return (first === "d" || first === "D") && second !== undefined &&
    seconds.includes(second.toLowerCase());
}

export function decodeRaw(raw: RawText, start: number, end: number): string {
  try {
    return String(JSON.parse(`"${decoder.decode(raw.bytes.subarray(start, end))}"`));
  } catch {
    return "";
  }
}

/** Writes text as the inside of a JSON string. */
export function escapeRaw(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
