/**
 * One item of a checkpoint: a line of Markdown that ends in where the item came from.
 *
 * Writing an item, reading it and writing it again gives the same line: what a checkpoint takes over
 * from the one before is told from what is new by that.
 *
 * @module
 */

import { boundText } from "../../inject/bound.ts";
import { excerpt, excerptLine } from "../../extract/excerpt.ts";
import type { Origin } from "../../extract/work_state.ts";

/** Where an item came from that somebody added by hand. */
export const BY_HAND: Origin = { uuid: "noted by hand", line: null };

/** An item without its bullet. */
export interface Item {
  /** What it says, with whatever its section puts in front. */
  readonly text: string;
  /** A word on what it is, such as the kind of an issue; empty where there is none. */
  readonly label: string;
  /** Where it came from. */
  readonly from: Origin;
}

/** No more of a text is looked at, in UTF-16 code units. */
const MAX_TEXT_CHARS = 16 * 1024;

/** What an item can be called. */
const LABELS = "answer|plan|user|assistant|command|tool|todo|question|stated|in progress";

/** How an item ends. */
const ENDING = new RegExp(
  ` \\((?:(${LABELS}), )?(?:line (\\d{1,16})|([0-9a-f]{8})|entry ([\\w-]{1,8})|(noted by hand)|source unknown)\\)$`,
  "i",
);

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

/**
 * Makes one line of a text, fit for an item.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @param maxChars The most UTF-16 code units.
 * @returns The line; making a line of it again changes nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { oneLine } from "./item.ts";
 *
 * assertEquals(oneLine("two\n## lines", 100), "two ## lines");
 * ```
 */
export function oneLine(text: string, maxChars: number): string {
  // Cut at the end: a tag that lost its bracket is longer than before.
  return excerptLine(
    disarm(excerptLine(boundText(text, MAX_TEXT_CHARS), MAX_TEXT_CHARS)),
    maxChars,
  );
}

/**
 * Makes a text fit to be quoted over several lines.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @param bounds The most UTF-16 code units and the most lines.
 * @returns The text, with at most one empty line in a row.
 */
export function fewLines(text: string, bounds: { maxChars: number; maxLines: number }): string {
  const clean = disarm(excerpt(boundText(text, MAX_TEXT_CHARS), MAX_TEXT_CHARS)).replaceAll(
    /[^\S\n]+$/gm,
    "",
  );
  const lines = excerpt(clean.replaceAll(/\n{3,}/g, "\n\n"), bounds.maxChars).split("\n");
  if (lines.length <= bounds.maxLines) return lines.join("\n");
  return `${lines.slice(0, bounds.maxLines - 1).join("\n").trimEnd()}\n…`;
}

/**
 * Guards the start of a text, so that it is read as words.
 *
 * @param text A line.
 * @returns The line, with a backslash in front where Markdown would see more than words.
 */
export function guardStart(text: string): string {
  return MARKUP.test(text) ? `\\${text}` : text;
}

/**
 * Takes the guard off again.
 *
 * @param text A line that {@linkcode guardStart} returned.
 * @returns The line as it was.
 */
export function unguardStart(text: string): string {
  return text.startsWith("\\") && MARKUP.test(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Adds to an item where it came from.
 *
 * @param item The item; its text is one line.
 * @returns The line without a bullet.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { endItem, readItem } from "./item.ts";
 *
 * const from = { uuid: null, line: 120 };
 * const line = endItem({ text: "tests fail", label: "command", from });
 * assertEquals(line, "tests fail (command, line 120)");
 * assertEquals(readItem(`- ${line}`), { text: "tests fail", label: "command", from });
 * ```
 */
export function endItem(item: Item): string {
  const label = item.label === "" ? "" : `${item.label}, `;
  return `${item.text} (${label}${originText(item.from)})`;
}

/**
 * Reads an item.
 *
 * @param line A line of a section.
 * @returns The item, or null when the line has no bullet.
 */
export function readItem(line: string): Item | null {
  const bullet = BULLET.exec(line)?.[0];
  return bullet === undefined ? null : readEnding(line.slice(bullet.length).trimEnd());
}

/**
 * Tells where an item came from.
 *
 * @param text The item without its bullet.
 * @returns The item; from nowhere known when it does not say.
 */
export function readEnding(text: string): Item {
  const [ending, label, line, short, entry, hand] = ENDING.exec(text) ?? [];
  const from = hand === undefined
    ? { uuid: short ?? entry ?? null, line: line === undefined ? null : Number(line) }
    : BY_HAND;
  const rest = ending === undefined ? text : text.slice(0, -ending.length);
  return { text: rest, label: label?.toLowerCase() ?? "", from };
}

/**
 * Whether a line says where it came from, or that nobody knows.
 *
 * @param line The line.
 * @returns Whether it ends as every item of ours does.
 */
export function hasEnding(line: string): boolean {
  return ENDING.test(line);
}

/**
 * Whether somebody added an item by hand.
 *
 * @param from Where it came from.
 * @returns Whether it is from nobody's transcript.
 */
export function isByHand(from: Origin): boolean {
  return from.uuid === BY_HAND.uuid;
}

/**
 * Words where something came from.
 *
 * @param from Where.
 * @returns `line 120`, the start of an entry's id, or that it is not known.
 */
export function originText(from: Origin): string {
  if (isByHand(from)) return "noted by hand";
  if (from.line !== null && Number.isSafeInteger(from.line) && from.line >= 0) {
    return `line ${from.line}`;
  }
  const short = from.uuid?.slice(0, 8) ?? "";
  if (/^[0-9a-f]{8}$/i.test(short)) return short;
  return /^[\w-]{1,8}$/.test(short) ? `entry ${short}` : "source unknown";
}

function disarm(text: string): string {
  return text.replaceAll(RISKY, "&lt;");
}
