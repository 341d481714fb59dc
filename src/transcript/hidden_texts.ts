/** Characters of a very long line that are not read where only the heads of its texts are. */

import type { ContentPart } from "./content.ts";
import { memberAt, skipSpace, skipValue } from "./json_scan.ts";
import { LONG_TEXT_BYTES, shortenTexts, type TextCut } from "./long_lines.ts";

interface HiddenText {
  readonly head: string;
  readonly chars: number;
  /** Length of the rest as JSON with its escapes, in characters. */
  readonly jsonChars: number;
}

/** Fields that the client keeps for its screen and does not send. */
const MIRROR_KEY = "toolUseResult";

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Bytes of a `\u` escape behind its `u`. */
const ESCAPE_DIGITS = 4;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** Lists what `readBriefly` leaves out of a line, without the mirror of a tool's result. */
export function hiddenTexts(bytes: Uint8Array): HiddenText[] {
  const cuts: TextCut[] = [];
  const short = shortenTexts(bytes, LONG_TEXT_BYTES, (cut) => cuts.push(cut));
  if (cuts.length === 0) return [];
  // One character a byte, so that the places found are places in the line.
  const mirror = mirrorIn(latin1.decode(short));
  return cuts
    .filter(({ shortOffset }) => shortOffset < mirror.start || shortOffset >= mirror.end)
    .map(({ start, cut, end }) => ({
      head: textOf(bytes.subarray(start, cut)),
      ...countRest(bytes, cut, end),
    }));
}

export function noteHidden(parts: readonly ContentPart[], hidden: readonly HiddenText[]): void {
  for (const { head, chars, jsonChars } of hidden) {
    const written = JSON.stringify(head).slice(1, -1);
    // A text that is not found is not sent.
    const part = parts.find(({ kind, text }) =>
      text.includes(kind === "tool_use" ? written : head)
    );
    if (part === undefined) continue;
    part.hiddenChars = (part.hiddenChars ?? 0) + (part.kind === "tool_use" ? jsonChars : chars);
  }
}

function mirrorIn(text: string): { start: number; end: number } {
  const start = memberAt(text, skipSpace(text, 0, text.length), text.length, MIRROR_KEY);
  return { start, end: start < 0 ? -1 : skipValue(text, start, text.length) };
}

function textOf(bytes: Uint8Array): string {
  try {
    return String(JSON.parse(`"${decoder.decode(bytes)}"`));
  } catch {
    return "";
  }
}

function countRest(
  bytes: Uint8Array,
  start: number,
  end: number,
): { chars: number; jsonChars: number } {
  let chars = 0;
  let jsonChars = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    chars++;
    jsonChars++;
    if (byte !== BACKSLASH) continue;
    at++;
    jsonChars++;
    if (bytes[at] !== LETTER_U) continue;
    if (isLowSurrogate(bytes, at + 1)) chars--;
    at += ESCAPE_DIGITS;
    jsonChars += ESCAPE_DIGITS;
  }
  return { chars, jsonChars };
}

/** Whether the digits of an escape are those of the second half of a pair: `dc` to `df`. */
function isLowSurrogate(bytes: Uint8Array, at: number): boolean {
  const second = (bytes[at + 1] ?? 0) | 0x20;
  return ((bytes[at] ?? 0) | 0x20) === 0x64 && second >= 0x63 && second <= 0x66;
}
