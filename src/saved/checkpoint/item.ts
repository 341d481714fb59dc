/** One item of a checkpoint, a Markdown line with its origin; reading and writing it again is the same. */

import { cutEnds } from "../../extract/ends.ts";
import { excerpt, excerptLine } from "../../extract/excerpt.ts";
import type { Origin } from "../../extract/work_state.ts";

/** Where an item came from that somebody added by hand. */
export const BY_HAND: Origin = { uuid: "noted by hand", line: null };

export interface Item {
  /** What it says, with whatever its section puts in front. */
  readonly text: string;
  /** A word on what it is, such as the kind of an issue; empty where there is none. */
  readonly label: string;
  readonly from: Origin;
}

/** No more of a text is looked at, in UTF-16 code units. */
const MAX_TEXT_CHARS = 16 * 1024;

const LABELS = "answer|plan|user|assistant|command|tool|todo|question|stated|in progress";

const ENDING = new RegExp(
  ` \\((?:(${LABELS}), )?(?:line (\\d{1,16})|([0-9a-f]{8})|entry ([\\w-]{1,8})|(noted by hand)|source unknown)\\)$`,
  "i",
);

const UNKNOWN = "source unknown";

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

/** How a bullet looks, also one that a person wrote. */
const BULLET = /^\s{0,12}[-*+]\s+/;

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

/** Guards the start of a text, so that it is read as words. */
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

export function readItem(line: string): Item | null {
  const bullet = BULLET.exec(line)?.[0];
  return bullet === undefined ? null : readEnding(line.slice(bullet.length).trimEnd());
}

export function readEnding(text: string): Item {
  const [ending, label, line, short, entry, hand] = ENDING.exec(text) ?? [];
  const from = hand === undefined
    ? { uuid: short ?? entry ?? null, line: line === undefined ? null : Number(line) }
    : BY_HAND;
  const rest = ending === undefined ? text : text.slice(0, -ending.length);
  return { text: rest, label: label?.toLowerCase() ?? "", from };
}

/** Takes out of lines where their items came from: another session's places are none of this one. */
export function withoutPlaces(text: string): string {
  const endings = new RegExp(ENDING.source, "gim");
  return text.replaceAll(endings, (ending: string, label?: string, ...groups: unknown[]) => {
    const hand = groups[3];
    return hand === undefined ? ` (${label === undefined ? "" : `${label}, `}${UNKNOWN})` : ending;
  });
}

/** Whether a line says where it came from, or that nobody knows. */
export function hasEnding(line: string): boolean {
  return ENDING.test(line);
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
  // What `trimtab show` does not print is no place.
  return /^[0-9a-f]{8}$/i.test(short) ? short : UNKNOWN;
}

function disarm(text: string): string {
  return text.replaceAll(RISKY, "&lt;");
}
