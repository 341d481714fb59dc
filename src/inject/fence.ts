/** A fence that names the source of text that trimtab did not write, and that no text can end. */

import { boundText } from "./bound.ts";
import { cleanLine, cleanText } from "./clean.ts";

const TAG = "trimtab-data";

const MAX_SOURCE_CHARS = 200;

/** Invisible characters between two letters, some of which cleaning leaves. */
const UNSEEN = "[\\p{DI}\\p{M}]*";

/** Signs that are read as the dash of a tag's name. */
const DASH = "[-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]";

/** The distance of the wide forms of letters from the letters. */
const TO_WIDE = 0xfee0;

/** Starts of tags that could end the fence or the client's reminder, as a lenient reader takes them. */
const RISKY_TAG = new RegExp(
  `[<\\u2039\\u2329\\u27e8\\u3008\\ufe3f\\ufe64\\uff1c](?=[\\s/\\\\\\u2044\\u2215\\uff0f\\uff3c\\p{DI}\\p{M}]*(?:${
    ["system-reminder", "trimtab-"].map((name) => [...name].map(lenient).join(UNSEEN)).join("|")
  }))`,
  "giu",
);

export interface FencedData {
  /** Where it is from, in a few words; no time and no age, so that the same text stays the same. */
  readonly source: string;
  readonly text: string;
  /** The most UTF-16 code units that the fence and all in it may take. */
  readonly maxChars: number;
}

export function fenceData(data: FencedData): string {
  const source = boundText(cleanLine(data.source).replaceAll(/["<>&]/g, ""), MAX_SOURCE_CHARS);
  const open = `<${TAG} source="${source}">\n`;
  const close = `\n</${TAG}>`;
  const text = disarmTags(cleanText(data.text)).trimEnd();
  const room = data.maxChars - open.length - close.length;
  if (text.length <= room) return open + text + close;
  // The longest that the note can get, so that what it says does not depend on its own length.
  const kept = boundText(text, room - cutNote(text.length).length);
  const left = cutNote(text.length - kept.length);
  return kept === "" ? "" : open + kept + left + close;
}

/** Disarms tags in a text that could end a fence or the client's reminder. */
export function disarmTags(text: string): string {
  return text.replaceAll(RISKY_TAG, "&lt;");
}

/** A letter of a tag's name, with what a reader would take for it. */
function lenient(letter: string): string {
  if (letter === "-") return DASH;
  return `[${letter}${String.fromCharCode(letter.charCodeAt(0) + TO_WIDE)}]`;
}

function cutNote(chars: number): string {
  return `\n[trimtab: cut here, ${chars} characters more]`;
}
