/**
 * Shortens long text to its start and end, because a request often begins with the task and ends with a
 * question. Shortens a list to the starts of its items.
 */

import { boundText } from "./bound.ts";
import { CODE, LEFT_OUT, MARK, markOf, withoutCode } from "./code_blocks.ts";
import { excerpt } from "./excerpt.ts";
import { HEADING, wholeLines } from "./outline.ts";
import { rowsAsItems } from "./plain_markdown.ts";

/** UTF-16 code units that are read from each end. */
const MAX_END_CHARS = 24 * 1024;

const HEAD_SHARE = 2 / 3;

/** The last sentence is kept whole if it takes at most this fraction of the room. */
const MAX_TAIL_SHARE = 2 / 3;

/** If whole sentences would fill less than this fraction of a head, the head is cut between words. */
const MIN_HEAD_SHARE = 1 / 2;

/** UTF-16 code units at the start of a text that are kept because they identify it. */
export const WHOLE_HEAD_CHARS = 130;

export function longestEnds(text: string): string {
  if (text.length <= 2 * MAX_END_CHARS) return text;
  // Drops the word at each cut, because half a credential would not be recognized.
  const head = boundText(text, MAX_END_CHARS).replace(/\S+$/, "");
  const tail = text.slice(-MAX_END_CHARS).replace(/^\S+/, "");
  return `${head.trimEnd()}${LEFT_OUT}${tail.trimStart()}`;
}

export function excerptEnds(text: string, maxChars: number): string {
  return cutText(rowsAsItems(excerpt(longestEnds(text), Infinity)), maxChars);
}

const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/**
 * Matches a line that counts as an item although it has no list mark: a table row, a line that starts with a
 * bold number, or a titled option such as `Option A`.
 */
const UNMARKED_ITEM =
  /^\s*(?:\||\*\*[A-Z]{0,2}#?\d{1,3}\b|(?:\*\*)?(?:Option|Approach|Step|Phase) [\dA-Z]\b)/;

function isItem(line: string): boolean {
  return [LIST_ITEM, HEADING, UNMARKED_ITEM].some((pattern) => pattern.test(line));
}

const INTRODUCTION = /:(?:\*\*)?\s*$|^\s*\*\*.*\*\*/;

/** Matches a last line that only announces the next step. */
const ANNOUNCED_WORK = /^\s*(?:(?:now|next|first),? )?(?:let me|I'll|I will|I'm going to)\b/i;

const SHORT_ANSWER = /^\s*(?:\*\*)?(?:yes|no|not)\b/i;

export const RULE = /^\s*(?:[-─━]{3,}|\*{3,}|_{3,})\s*$/;

const TABLE_RULE = /^\s*\|[\s:|-]+\|\s*$/;
const MIN_ITEMS = 3;

const MAX_SHORT_LINE_CHARS = 60;

/** Matches a line of a failing test that states the expectation, such as `a_test.go:12: want 3`. */
export const EXPECTATION = /:\d+:.*\b(?:should|expected|want|got|must|error)\b/i;

const BOLD = /^\s*\*\*[^*]+\*\*\s*$/;

/** Lengths to try for items and for paragraphs, in UTF-16 code units. */
const TRIAL_LENGTHS = [[240, 720], [160, 480], [110, 330], [80, 240], [80, 80], [80, 50]] as const;

/** Widths of a plan's lines. The first that leaves the fewest sections without a line is used. */
const PLAN_WIDTHS = [240, 180, 140, 110];

/** Matches headings without a line below them, other than the count of lines that were left out. */
const EMPTY_SECTIONS = /^\s*#{1,6}\s[^\n]*\n\(\d+ more\)$/gm;

/**
 * Shortens text to its ends. Shortens a list to the starts of its items instead, if they fit, because the
 * middle of a list matters as much as its ends. Leaves out sections of praise first. Keeps options and next
 * steps whole if they are short enough.
 */
export function cutText(text: string, maxChars: number, headShare: number = HEAD_SHARE): string {
  if (text.length <= maxChars) return text;
  const plain = text.replaceAll(PRAISE, `${MARK}\n`);
  if (plain !== text) return cutText(plain, maxChars, headShare);
  for (const [pattern, share] of WHOLE_LISTS) {
    const [list = ""] = pattern.exec(text) ?? [];
    if (list === "" || list.length > maxChars * share) continue;
    const at = text.indexOf(list);
    const [before, after] = [text.slice(0, at), text.slice(at + list.length).trim()];
    const left = maxChars - list.length;
    const end = after === "" ? "" : `\n${cutText(after, Math.floor(left / 3), headShare)}`;
    return `${cutText(`${before}\n`, left - end.length, headShare)}${list.trimEnd()}${end}`;
  }
  const lines = proseLines(text);
  if (lines.filter(isItem).length < MIN_ITEMS) {
    return cutEnds(withoutCode(text), maxChars, headShare);
  }
  for (const [item, paragraph] of TRIAL_LENGTHS) {
    const short = lines.map((line, index) => {
      const width = isItem(line) ? item : paragraph;
      return headOf(line, index, isKeyLine(lines, index) ? TRIAL_LENGTHS[0][0] : width);
    }).join("\n");
    if (short.length <= maxChars && !hasEqualStarts(short)) return short;
  }
  const wholes = PLAN_WIDTHS.map((width) =>
    wholeLines(lines.map((line, index) => headOf(line, index, width)), maxChars)
  );
  const emptyIn = (one: string): number => one.match(EMPTY_SECTIONS)?.length ?? 0;
  const [whole = ""] = wholes.toSorted((a, b) => emptyIn(a) - emptyIn(b));
  if (isGood(whole, maxChars)) return whole;
  const end = lines.findLastIndex((line) => !ANNOUNCED_WORK.test(line));
  // Items are unclear without the line that introduces them, or without the answers between them. The
  // paragraph below a list often limits it or draws the conclusion.
  const introduced = lines.filter((line, index) =>
    index === 0 || (index === end && /^[^\s|]/.test(line)) || isItem(line) ||
    SHORT_ANSWER.test(line) || BOLD.test(line) ||
    (INTRODUCTION.test(line) && isItem(lines[index + 1] ?? "")) || isKeyLine(lines, index) ||
    // Leaving out a short line below an introduction would save little, because a mark would replace it.
    (line.length <= MAX_SHORT_LINE_CHARS && INTRODUCTION.test(lines[index - 1] ?? ""))
  );
  const belowHeadings = lines.filter((_, index) => HEADING.test(lines[index - 1] ?? ""));
  const all = [...introduced, ...belowHeadings];
  for (
    const [kept, width] of [[all, 80], [introduced, 80], [introduced, 60], [
      introduced,
      45,
    ]] as const
  ) {
    const short = withMarks(lines, kept, width);
    if (isGood(short, maxChars)) return short;
  }
  return cutEnds(withoutCode(text), maxChars, headShare);
}

export const PRAISE =
  /^[ \t]*(?:#{1,6}[ \t]+|\*\*)(?:[^\w\s]{1,3} )?(?:what (?:\w+ ){1,2}well|strengths|positives?|positive (?:aspects|observations)|good practices)\b[^\n]*\n(?:(?![ \t]*(?:#|\*\*))[^\n]*(?:\n|$))*/gim;

/** Whether a shortened text fits, fills a third of the room, and has no two items that look the same. */
function isGood(short: string, maxChars: number): boolean {
  return short.length <= maxChars && short.length * 3 > maxChars && !hasEqualStarts(short);
}

/** Whether two items were cut to the same start, so that neither is informative. */
function hasEqualStarts(text: string): boolean {
  const cut = text.split("\n").filter((line) => isItem(line) && line.endsWith("…"))
    .map((line) => line.replace(/^[\s\d.)*+•-]+/, ""));
  return new Set(cut).size < cut.length;
}

/** Matches a line that starts with a remedy, or mentions the insight behind a request. */
const REMEDY =
  /^[\s>*_-]*(?:(?:suggested |proposed |recommended )?fix|solution|remedy)\b[^:]{0,24}:|\b(?:key (?:insight|idea|finding|decision)|root cause)\b/i;

/** Whether a line is an expectation, a remedy, an insight or the closing question. Others may be cut shorter. */
function isKeyLine(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return EXPECTATION.test(line) || REMEDY.test(line) ||
    (index === lines.length - 1 && line.trimEnd().endsWith("?"));
}

function withMarks(lines: readonly string[], kept: readonly string[], width: number): string {
  const shown: string[] = [];
  let isLeftOut = false;
  for (const [index, line] of lines.entries()) {
    if (line === MARK || !kept.includes(line)) {
      isLeftOut = true;
      continue;
    }
    if (isLeftOut) shown.push(MARK);
    isLeftOut = false;
    const least = isKeyLine(lines, index) ? TRIAL_LENGTHS[0][0] : 0;
    shown.push(headOf(line, shown.length, Math.max(width, least)));
  }
  if (isLeftOut) shown.push(MARK);
  return shown.join("\n");
}

/** Matches a list of next steps. It is kept whole, because the steps are not stated elsewhere. */
const NEXT_STEPS =
  /\n[ \t]*(?:#{1,6}[ \t]+|\*\*)?(?:\w+ )?(?:next steps?|remaining(?: \w+)?|follow-?ups?|still open)\b[^\n]{0,60}\n(?:[ \t]*\n)*(?=[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])(?:[ \t]*\n|[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t][^\n]*(?:\n|$)|[ \t]{2,}\S[^\n]*(?:\n|$))+/i;

/** Matches options at the end of a message. They are kept whole, because the reply refers to one of them. */
const OFFER =
  /\n[^\n]{0,400}\b(?:you|should|shall|which|options?|prefer)\b[^\n]{0,400}[:?][*_]*[ \t]*\n(?:[ \t]*\n)*(?:[ \t]*(?:\*\*)?(?:\d{1,2}|[A-H])[.)][^\n]*(?:\n|$)){2,12}\s*(?:[^\n]*\?\s*)?$/i;

/** Lists that are kept whole, each with the largest share of the limit that it may take. */
const WHOLE_LISTS = [[OFFER, 0.8], [NEXT_STEPS, 0.6]] as const;

function proseLines(text: string): string[] {
  return text.replaceAll(CODE, markOf).split("\n").filter((line) =>
    line.trim() !== "" && !TABLE_RULE.test(line) && !RULE.test(line)
  );
}

/** Matches the short verdict after a dash at the end of an item, such as "— **Already fixed**". */
const VERDICT = /\s[-–—]\s[^-–—→;]{2,40}$/;

/** Matches a short verdict before a remark, such as "- Already fixed" in "- Already fixed (with a prefix)". */
const REMARKED_VERDICT = /\s[-–—]\s[^-–—→;(]{2,30}(?=\s(?:\(|[-–—]\s))/;

const MIN_CELL_CHARS = 16;

/** Matches a table row that was turned into a list item; its cells are shortened separately. */
const ROW = /(?:^|\s)- [^:;\n]{1,80}: [^;\n]+; /;

/** Matches the folders of a path except the last one. Dropping them leaves room for the file name. */
const LONG_FOLDER = /(?<=[`\s(])(?:[\w@-][\w.@-]*\/){2,}(?=[\w.@-]+\/[\w.@-]+\.[a-z]{1,5}\b)/g;

/** Shortens a line. Keeps enough of the first line to identify the text, and the short verdict of an item. */
function headOf(line: string, index: number, width: number): string {
  const maxChars = index === 0 ? Math.max(width, WHOLE_HEAD_CHARS) : width;
  if (line.length <= maxChars) return line;
  const short = line.replaceAll(LONG_FOLDER, "…/");
  if (short !== line) return headOf(short, index, width);
  if (LIST_ITEM.test(line) && ROW.test(line)) {
    const [label = ""] = /^[^:]*: /.exec(line) ?? [];
    const cells = line.slice(label.length).split("; ");
    // Cells of a few words stay whole, because a partial name or number is meaningless.
    const long = cells.filter((cell) => / .* .* /.test(cell.trim()));
    const others = [label, ...cells.filter((cell) => !long.includes(cell))].join("; ").length;
    const room = Math.floor((maxChars - others) / long.length) - 2;
    if (room >= MIN_CELL_CHARS) {
      return label +
        cells.map((cell) => long.includes(cell) ? startOf(cell, room) : cell).join("; ");
    }
  }
  const verdicts = LIST_ITEM.test(line)
    ? [VERDICT, REMARKED_VERDICT].map((pattern) => pattern.exec(line)?.[0] ?? "")
    : [];
  const verdict = verdicts.find((one) => one !== "" && one.length + MIN_CELL_CHARS < maxChars);
  if (verdict !== undefined) {
    const start = boundText(line, maxChars - verdict.length - 1);
    return `${dropPartialWord(start, /\s+\S*$/)}…${verdict}`;
  }
  return startOf(line, maxChars);
}

function startOf(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  return `${dropPartialWord(boundText(line, maxChars - 1), /\s+\S*$/)}…`;
}

/** Keeps both ends of a text, cut between sentences where possible. */
export function cutEnds(text: string, maxChars: number, headShare: number = HEAD_SHARE): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - LEFT_OUT.length);
  const tailRoom = Math.floor(room * (1 - headShare));
  if (tailRoom === 0) return boundText(text, maxChars);
  // A table row is not cut between its cells, because a cell is meaningless without its row.
  const starts = startsAfter(ROW.test(text) ? ITEM_SPACE : CLAUSE_SPACE, text);
  const end = tailWithin(text, starts, tailRoom, Math.max(tailRoom, room * MAX_TAIL_SHARE));
  const head = startWithin(text, room - end.length);
  const words = tailWithin(text, starts, room - head.length);
  // Drops the end of a remark in parentheses, because it can state the opposite of the whole remark.
  const last = words.replace(/^[^()]*\)[*_.,:;]*\s+(?=[^]{40})/, "");
  const between = text.slice(head.length, text.length - last.length);
  // A line that the head cuts off does not introduce the list.
  const list = leadOf(
    /(?:^|\n)\s*$/.test(head) ? between : between.replace(/^[^\n]*/, ""),
    last,
  );
  if (list === "") return withTitle(text, { head, tail: last, room });
  const start = dropPartialWord(boundText(head, head.length - list.length), /\s+\S*$/);
  return `${start}${LEFT_OUT}${list}${withoutHalves(last)}`;
}

function withTitle(
  text: string,
  { head, tail, room }: { readonly head: string; readonly tail: string; readonly room: number },
): string {
  const title = titleOf(text.slice(head.length, text.length - tail.length), tail);
  const over = head.length + title.length + tail.length - room;
  // The head is shortened first, except for the start that identifies the text, and then the tail. If this is
  // not enough, the title is left out.
  const least = Math.min(head.length, WHOLE_HEAD_CHARS);
  const start = over <= 0 ? head : startWithin(head, Math.max(least, head.length - over));
  const excess = start.length + title.length + tail.length - room;
  const next = startsAfter(SENTENCE_SPACE, tail)
    .find((at) =>
      at >= excess && at < tail.length && !BACK_REFERENCE.test(tail.slice(at, at + 16))
    );
  if (title !== "" && excess > 0 && next !== undefined) {
    return withTitle(text, { head: start, tail: tail.slice(next), room });
  }
  const [kept, shown] = excess > 0 ? [head, ""] : [start, title];
  return `${kept.replace(/ *\[…\]\s*$/, "")}${LEFT_OUT}${shown}${withoutHalves(tail)}`;
}

/** Returns the start of a head, without a list mark, heading mark or unclosed parenthesis at its end. */
function startWithin(head: string, room: number): string {
  const start = headWithin(head, room);
  const text = start.length < WHOLE_HEAD_CHARS && start.length < room / 2
    ? dropPartialWord(boundText(head, room), /\s+\S*$/)
    : start;
  return text.replace(/\s(?:#{1,6}\s+)?(?:\d{1,3}[.)]|[-*+•]|#{1,6})\s*$/, "")
    .replace(/(?<=[^]{12})\s\([^()]{0,40}$/, "");
}

/** Drops half a surrogate pair at the start of a tail, and the first `**` if its partner was cut off. */
function withoutHalves(tail: string): string {
  const text = tail.toWellFormed().replace(/^\uFFFD/, "");
  return text.split("**").length % 2 === 1 ? text : text.replace("**", "");
}

/** Matches a heading or a label in bold, also in text without line breaks. */
const SECTION_TITLE =
  /(?<=^|\n[ \t]*|[-.:!?`)\]*|]\s+)(?:#{1,6}\s\S[^\n]{0,100}?(?=\n|\s\*\*|\s[-–]\s|(?<=\D[.?!:])\s|$)|(?:\d{1,2}[.)]\s+)?\*\*[^*\n]{2,110}\*\*)|\*\*(?:Verdict|Decision|Status|Severity)\b[^*\n]{2,110}\*\*/g;

/**
 * Matches a bold sentence that refers to the omitted words before it. Shown alone, it could read as a
 * finding although the omitted words call it a guess.
 */
const BOLD_REMARK = /^\*\*(?:that|this|it|these|those|so|but|and)\b[^:]*[.!]\*\*$/i;

/**
 * Returns the titles in the cut part that apply to the tail: the last heading, and a verdict or label below
 * it. Returns an empty string if there are none, or if the tail starts with a heading.
 */
function titleOf(cut: string, tail: string): string {
  if (HEADING.test(tail)) return "";
  const scope = cut.split(/(?:^|\s)-{3,}(?=\s)/).at(-1) ?? "";
  const titles = (scope.match(SECTION_TITLE) ?? []).filter((one) => !BOLD_REMARK.test(one));
  const at = titles.findLastIndex((title) => title.startsWith("#"));
  const labels = titles.slice(at + 1);
  const label = labels.find((title) => /\b(?:verdict|decision|status)\b/i.test(title)) ??
    (tail.startsWith("**") ? undefined : labels.at(-1));
  return [titles[at], label].map((one) => one === undefined ? "" : one + LEFT_OUT).join("");
}

/** Longest introduction that is kept with its list, in UTF-16 code units. */
const MAX_LEAD_CHARS = 120;

/** Returns the introduction of a list in the tail, so that the items do not seem to belong to the head. */
function leadOf(cut: string, tail: string): string {
  if (!LIST_ITEM.test(tail)) return "";
  const indentOf = (one: string): number => one.length - one.trimStart().length;
  const lines = cut.split("\n");
  // An item with less indent introduces the items below it.
  const indent = indentOf(lines.at(-1) ?? "");
  const line =
    lines.findLast((one) =>
      one.trim() !== "" && (!LIST_ITEM.test(one) || indentOf(one) < indent)
    ) ?? "";
  if (line.trim() === "" || line.length > MAX_LEAD_CHARS) return "";
  const isItemCut = lines.slice(lines.lastIndexOf(line) + 1).some((one) => one.trim() !== "");
  return `${line.trim()}\n${isItemCut ? `${MARK}\n` : ""}`;
}

/** Matches the space between two sentences or lines, but not after the dot of a number or an abbreviation. */
const SENTENCE_SPACE =
  /(?<=(?<!\d|\b(?:e\.g|i\.e|vs|cf))[.!?][)"'`*_”]{0,3})\s+(?=[^\p{Ll}\s])|\s*\n\s*/gu;

/** Like `SENTENCE_SPACE`, but also matches the space before an item or a heading within a line. */
const ITEM_SPACE = new RegExp(
  `\\s+(?=(?:[-*•+]|\\d{1,2}[.)])\\s+[\\p{Lu}\`*]|#{1,6}\\s)|${SENTENCE_SPACE.source}`,
  "gu",
);
const CLAUSE_SPACE = new RegExp(`(?<=[;|])\\s+|${ITEM_SPACE.source}`, "gu");

function startsAfter(space: RegExp, text: string): number[] {
  return Array.from(text.matchAll(space), ({ 0: space, index }) => index + space.length);
}

/** Returns the whole sentences at the start or, if they fill too little of the room, whole words. */
function headWithin(text: string, room: number): string {
  const end = startsAfter(SENTENCE_SPACE, text).findLast((start) => start <= room) ?? 0;
  return end >= room * MIN_HEAD_SHARE
    ? text.slice(0, end).trimEnd()
    : dropPartialWord(boundText(text, room), /\s+\S*$/);
}

/**
 * Returns the end of a text, starting at one of `starts`, because a part of a sentence can state the opposite
 * of the whole. If no such end fits into `maxRoom`, cuts between words.
 */
function tailWithin(
  text: string,
  starts: readonly number[],
  room: number,
  maxRoom: number = room,
): string {
  const inner = starts.filter((one) => one < text.length);
  const start = inner.find((one) => text.length - one <= room) ??
    inner.findLast((one) => text.length - one <= maxRoom);
  if (start !== undefined) {
    return text.slice(selfContainedStart(start, { text, starts: inner, maxRoom }));
  }
  return dropPartialWord(text.slice(-room), /^\S*\s+/, /^[^\s/]*(?=\/)/);
}

const BACK_REFERENCE =
  /^(?:(?:now|here|the)\s+)?(?:otherwise|that|this|its?|so|these|those|they|their|then|but|and|or|also|instead|both|claim|latter)\b/i;

/** Smallest share of a tail that must remain if its first clause is dropped. */
const MIN_TAIL_SHARE = 1 / 2;

/**
 * If the clause at `start` refers to text that is left out, returns the start of an earlier clause that fits,
 * or of a later one that leaves enough text.
 */
function selfContainedStart(
  start: number,
  { text, starts, maxRoom }: {
    readonly text: string;
    readonly starts: readonly number[];
    readonly maxRoom: number;
  },
): number {
  const whole = starts.filter((one) => !BACK_REFERENCE.test(text.slice(one, one + 12)));
  if (whole.includes(start)) return start;
  const sizeFrom = (one: number): number => text.length - one;
  return whole.findLast((one) => one < start && sizeFrom(one) <= maxRoom) ??
    whole.find((one) => one > start && sizeFrom(one) >= sizeFrom(start) * MIN_TAIL_SHARE) ?? start;
}

/** Drops an incomplete word. If little would remain, drops only the incomplete name in a path, or nothing. */
function dropPartialWord(text: string, cutWord: RegExp, cutName = /(?<=\/)[^\s/]*$/): string {
  const wholes = [text.replace(cutWord, ""), text.replace(cutName, "")];
  return wholes.find((whole) => whole !== text && whole.length * 2 >= text.length) ?? text;
}
