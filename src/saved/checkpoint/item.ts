/** One item of a checkpoint: a Markdown line that ends in where it came from. */

import { cutEnds } from "../../extract/ends.ts";
import { excerpt, excerptLine } from "../../extract/excerpt.ts";
import type { Origin } from "../../extract/work_state.ts";

/** Where an item came from that somebody added by hand. */
export const BY_HAND: Origin = { uuid: "noted by hand", line: null };

interface Item {
  /** The words, with whatever the section puts in front. */
  readonly text: string;
  /** A word on what it is, such as the kind of an issue; empty where there is none. */
  readonly label: string;
  readonly from: Origin;
}

/** No more of a text is looked at, in UTF-16 code units. */
const MAX_TEXT_CHARS = 16 * 1024;

/** What begins something else than words at the start of an item. */
const MARKUP = /^[\\#>*+\-=`~|<[_]/;

/** Joiners, which cleaning leaves and which can stand unseen between letters. */
const JOINERS = "[\\u200c\\u200d\\ufe00-\\ufe0f]*";

/** The start of a tag that could end what a text is put into, or of a comment. */
const RISKY = new RegExp(
  `<(?=!--|[\\s/\\\\\\u200c\\u200d]*(?:${
    ["system-reminder", "trimtab-"].map((name) => [...name].join(JOINERS)).join("|")
  }))`,
  "gi",
);

export function oneLine(text: string, maxChars: number): string {
  // Cut at the end: a tag that lost its bracket is longer than before.
  return excerptLine(
    disarm(excerptLine(text, MAX_TEXT_CHARS)),
    maxChars,
  );
}

export function fewLines(text: string, bounds: { maxChars: number; maxLines: number }): string {
  const clean = disarm(excerpt(text, MAX_TEXT_CHARS)).replaceAll(
    /[^\S\n]+$/gm,
    "",
  );
  const lines = cutEnds(clean.replaceAll(/\n{3,}/g, "\n\n"), bounds.maxChars).split("\n");
  if (lines.length <= bounds.maxLines) return lines.join("\n");
  const half = Math.floor((bounds.maxLines - 1) / 2);
  const head = lines.slice(0, half).join("\n").trimEnd();
  return `${head}\n…\n${lines.slice(-half).join("\n").trimStart()}`;
}

/** Guards the start of a text, so that Markdown takes it for words. */
export function guardStart(text: string): string {
  return MARKUP.test(text) ? `\\${text}` : text;
}

export function unguardStart(text: string): string {
  return text.startsWith("\\") && MARKUP.test(text.slice(1)) ? text.slice(1) : text;
}

export function endItem(item: Item): string {
  const label = item.label === "" ? "" : `${item.label}, `;
  return `${item.text} (${label}${originText(item.from)})`;
}

export function isByHand(from: Origin): boolean {
  return from.uuid === BY_HAND.uuid;
}

export function originText(from: Origin): string {
  if (isByHand(from)) return "noted by hand";
  if (from.line !== null && Number.isSafeInteger(from.line) && from.line >= 0) {
    return `line ${from.line}`;
  }
  const short = from.uuid?.slice(0, 8) ?? "";
  // A place is one that `trimtab show` prints.
  return /^[0-9a-f]{8}$/i.test(short) ? short : "source unknown";
}

function disarm(text: string): string {
  return text.replaceAll(RISKY, "&lt;");
}
