/**
 * A fence around text that was not written by trimtab: it says where the text is from, and nothing
 * in the text can end it.
 *
 * @module
 */

import { boundText } from "./bound.ts";
import { cleanLine, cleanText } from "./clean.ts";

/** The fence's own tag. */
const TAG = "trimtab-data";

/** A source takes no more characters than this. */
const MAX_SOURCE_CHARS = 200;

/** Joiners and variation marks, which cleaning leaves and which can stand unseen between letters. */
const UNSEEN_JOINERS = "[\\u200c\\u200d\\ufe00-\\ufe0f]*";

/**
 * What could end the fence, or the reminder that the client puts around all that a hook says: the
 * start of one of their tags, with whatever a lenient reader would pass over.
 */
const RISKY_TAG = new RegExp(
  `<(?=[\\s/\\\\\\u200c\\u200d]*(?:${
    ["system-reminder", "trimtab-"].map((name) => [...name].join(UNSEEN_JOINERS)).join("|")
  }))`,
  "gi",
);

/** Text from somewhere else. */
export interface FencedData {
  /** Where it is from, in a few words; no time and no age, so that the same text stays the same. */
  readonly source: string;
  /** The text. */
  readonly text: string;
  /** The most UTF-16 code units that the fence and all in it may take. */
  readonly maxChars: number;
}

/** Puts a fence around a text. */
export function fenceData(data: FencedData): string {
  const source = boundText(cleanLine(data.source).replaceAll(/["<>&]/g, ""), MAX_SOURCE_CHARS);
  const open = `<${TAG} source="${source}">\n`;
  const close = `\n</${TAG}>`;
  const text = cleanText(data.text).replaceAll(RISKY_TAG, "&lt;").trimEnd();
  const room = data.maxChars - open.length - close.length;
  if (text.length <= room) return open + text + close;
  // The longest that the note can get, so that what it says does not depend on its own length.
  const kept = boundText(text, room - cutNote(text.length).length);
  const left = cutNote(text.length - kept.length);
  return kept === "" ? "" : open + kept + left + close;
}

function cutNote(chars: number): string {
  return `\n[trimtab: cut here, ${chars} characters more]`;
}
