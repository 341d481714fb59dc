/** Puts a fence around text from other sources. The fence names the source, and the text cannot close it. */

import { boundText, counted } from "./bound.ts";
import { cleanLine, cleanText } from "./clean.ts";

const TAG = "trimtab-data";

const MAX_SOURCE_CHARS = 200;

/** Matches invisible characters and combining marks, which may remain between two letters after cleaning. */
const UNSEEN = "[\\p{DI}\\p{M}]*";

const DASH = "[-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]";

/** Offset from a letter to its fullwidth form. */
const TO_WIDE = 0xfee0;

const RISKY_NAMES = ["system-reminder", "trimtab-"]
  .map((name) => [...name].map(lookAlikesOf).join(UNSEEN)).join("|");

/**
 * Matches starts of tags that a reader could mistake for the end of the fence or of the client's reminder.
 */
const RISKY_TAG = new RegExp(
  `[<\\u2039\\u2329\\u27e8\\u3008\\ufe3f\\ufe64\\uff1c](?=[\\s/\\\\\\u2044\\u2215\\uff0f\\uff3c\\p{DI}\\p{M}]*(?:${RISKY_NAMES}))`,
  "giu",
);

export interface FencedData {
  /** Must not contain a time or an age, so that the output is reproducible. */
  readonly source: string;
  readonly text: string;
  /** Limit for the whole fence, in UTF-16 code units. */
  readonly maxChars: number;
}

export function fenceData(data: FencedData): string {
  const source = boundText(cleanLine(data.source).replaceAll(/["<>&]/g, ""), MAX_SOURCE_CHARS);
  const open = `<${TAG} source="${source}">\n`;
  const close = `\n</${TAG}>`;
  const text = disarmTags(cleanText(data.text)).trimEnd();
  const room = data.maxChars - open.length - close.length;
  if (text.length <= room) return open + text + close;
  // Reserves the longest possible note, so that the cut does not depend on the note's own length.
  const kept = boundText(text, room - cutNote(text.length).length);
  const note = cutNote(text.length - kept.length);
  return kept === "" ? "" : open + kept + note + close;
}

export function disarmTags(text: string): string {
  return text.replaceAll(RISKY_TAG, "&lt;");
}

function lookAlikesOf(letter: string): string {
  if (letter === "-") return DASH;
  return `[${letter}${String.fromCharCode(letter.charCodeAt(0) + TO_WIDE)}]`;
}

function cutNote(chars: number): string {
  return `\n[trimtab: cut here, ${counted(chars, "more character")}]`;
}
