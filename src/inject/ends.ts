/** Shortens long texts to head and tail: the request is at the start, the point often at the end. */

import { boundText } from "./bound.ts";
import { excerpt } from "./excerpt.ts";

/** Most of either end of a text that is read, in UTF-16 code units. */
const MAX_END_CHARS = 24 * 1024;

export const LEFT_OUT = " […] ";

const HEAD_PART = 2 / 3;

/** Share of an end that stays where it begins at a sentence or a line. */
const MIN_TAIL_PART = 0.4;

/** Share of a beginning that stays where the sentence that was cut goes. */
const MIN_WHOLE_PART = 4 / 5;

/** A beginning by which a text is known again stays whole, in UTF-16 code units. */
const WHOLE_HEAD_CHARS = 130;

/** Shorter words around code are about the code, in UTF-16 code units. */
const MIN_PROSE_CHARS = 160;

/** Keeps both ends of a text that is too long to be held, cut between words. */
export function heldEnds(text: string): string {
  if (text.length <= 2 * MAX_END_CHARS) return text;
  // Half a credential is not known as one: both ends lose the word that is cut.
  const head = boundText(text, MAX_END_CHARS).replace(/\S+$/, "");
  const tail = text.slice(-MAX_END_CHARS).replace(/^\S+/, "");
  return `${head.trimEnd()}${LEFT_OUT}${tail.trimStart()}`;
}

/** Shortens a text to a length: cleaned, without credentials, cut between words. */
export function excerptEnds(text: string, maxChars: number): string {
  return cutText(excerpt(heldEnds(text), Infinity), maxChars);
}

/** A block of code, or one that does not end. */
const CODE = /^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1[ \t]*$\n?|$(?![^]))/gm;

/** Longest code that a question may be about, in UTF-16 code units. */
const MAX_PROPOSED_CHARS = 300;

/** Leaves out code, which says little in a few words, if enough is left; what a question asks about stays. */
export function withoutCode(text: string): string {
  const isQuestion = text.trimEnd().endsWith("?");
  const prose = text.replaceAll(CODE, (block) => {
    const code = block.replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*\n?/gm, "");
    return isQuestion && code.length <= MAX_PROPOSED_CHARS ? code : "";
  });
  return prose.trim().length >= MIN_PROSE_CHARS ? prose : text;
}

/** An item of a list, a row of a table, a heading, or a line in bold that numbers what stands below it. */
const ITEM = /^\s*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s|\||\*\*[A-Z]{0,2}#?\d{1,3}\b)/;

const HEADING = /^\s*#{1,6}\s/;

/** A line that leads to the items below it: it ends in a colon, or is bold. */
const LEADS_IN = /:(?:\*\*)?\s*$|^\s*\*\*.*\*\*/;

/** A paragraph that answers the question above it. */
const ANSWERS = /^\s*(?:\*\*)?(?:yes|no|not)\b/i;

/** A row of a table that holds only figures behind its name. */
const FIGURES = /^\s*\|[^|]*\|(?:[\s*\d.,%–-]*\|)+\s*$/;

/** A line that parts paragraphs. */
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;

/** The rule below the head of a table. */
const TABLE_RULE = /^\s*\|[\s:|-]+\|\s*$/;

/** A list of fewer items is no list to be kept as such. */
const MIN_ITEMS = 3;

/** A line of a failing test that says what was expected. */
export const EXPECTATION = /:\d+:.*\b(?:should|expected|want|got|must|error)\b/i;

/** Lengths to which items and paragraphs are shortened, one pair after the other, in UTF-16 code units. */
const SHORTER = [[240, 720], [160, 480], [110, 330], [80, 240], [80, 80], [80, 50]] as const;

/**
 * Shortens a text with a list to the heads of its items, where they fit, and any other to its ends:
 * the middle of a list says as much as its ends.
 */
export function cutText(text: string, maxChars: number, headPart: number = HEAD_PART): string {
  if (text.length <= maxChars) return text;
  const [steps = ""] = NEXT_STEPS.exec(text) ?? [];
  if (steps !== "" && steps.length <= maxChars * MAX_STEPS_PART) {
    const others = text.replace(steps, "\n");
    return `${cutText(others, maxChars - steps.length, headPart)}${steps.trimEnd()}`;
  }
  const lines = proseLines(text);
  if (lines.filter((line) => ITEM.test(line)).length < MIN_ITEMS) {
    return cutEnds(text, maxChars, headPart);
  }
  for (const [item, paragraph] of SHORTER) {
    const short = lines.map((line, at) => {
      const width = EXPECTATION.test(line) ? SHORTER[0][0] : ITEM.test(line) ? item : paragraph;
      return headOf(line, widthOf(at, width));
    }).join("\n");
    if (short.length <= maxChars) return short;
  }
  // Items mean something else without the line above them, or the answer between.
  const leads = (line: string, at: number): boolean =>
    ANSWERS.test(line) || (LEADS_IN.test(line) && ITEM.test(lines[at + 1] ?? "")) ||
    (at === lines.length - 1 && line.trimEnd().endsWith("?"));
  const heads = lines.filter((line, at) => at === 0 || ITEM.test(line));
  // A heading says little without what stands below it.
  const told = lines.filter((line, at) =>
    at === 0 || ITEM.test(line) || HEADING.test(lines[at - 1] ?? "")
  );
  const led = lines.filter((line, at) => at === 0 || ITEM.test(line) || leads(line, at));
  const all = lines.filter((line, at) => told.includes(line) || leads(line, at));
  for (
    const [kept, width] of [[all, 80], [led, 80], [told, 80], [heads, 80], [heads, 60]] as const
  ) {
    const short = kept.filter((line) => !FIGURES.test(line)).map((line, at) =>
      headOf(line, widthOf(at, width))
    )
      .join("\n");
    if (short.length <= maxChars && short.length * 3 > maxChars) return short;
  }
  return cutEnds(text, maxChars, headPart);
}

/** A list of what comes next, which stays whole: nothing else says it. */
const NEXT_STEPS =
  /\n[ \t]*(?:#{1,6}[ \t]+|\*\*)?(?:\w+ )?(?:next steps?|remaining(?: \w+)?|follow-?ups?|still open)\b[^\n]{0,60}\n(?:[ \t]*\n|[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t][^\n]*(?:\n|$)|[ \t]{2,}\S[^\n]*(?:\n|$))+/i;

/** The most that it may take of what there is room for. */
const MAX_STEPS_PART = 0.6;

/** The first line stays long enough to be known again. */
function widthOf(at: number, width: number): number {
  return at === 0 ? Math.max(width, WHOLE_HEAD_CHARS) : width;
}

/** Lines without empty ones, rules and code. */
function proseLines(text: string): string[] {
  return text.replaceAll(CODE, "").split("\n").filter((line) =>
    line.trim() !== "" && !TABLE_RULE.test(line) && !RULE.test(line)
  );
}

function headOf(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  return `${wholeWords(boundText(line, maxChars - 1), /\s+\S*$/)}…`;
}

export function cutEnds(text: string, maxChars: number, headPart: number = HEAD_PART): string {
  if (text.length <= maxChars) return text;
  const room = maxChars - LEFT_OUT.length;
  const head = wholeSentences(boundText(text, Math.ceil(room * headPart)));
  const end = text.slice(-Math.floor(room * (1 - headPart)));
  // Behind a sentence that was cut, the rest can say the opposite of it.
  const sentence = end.replace(/^[^]*?(?:[.!?;|]\s+|\n\s*)/, "");
  const isCut = sentence === end || sentence.length < end.length * MIN_TAIL_PART;
  const tail = isCut ? wholeWords(end, /^\S*\s+/) : sentence;
  return `${head}${LEFT_OUT}${tail.toWellFormed().replace(/^\uFFFD/, "")}`;
}

/** Without the sentence that was cut, if it is short, else without the word. */
function wholeSentences(text: string): string {
  const whole = /^[^]*[\p{L})"'`*][.!?](?=\s)/u.exec(text)?.[0] ?? "";
  return whole.length >= text.length * MIN_WHOLE_PART ? whole : wholeWords(text, /\s+\S*$/);
}

/** Without the word that was cut, unless hardly anything is left then. */
function wholeWords(text: string, cutWord: RegExp): string {
  const whole = text.replace(cutWord, "");
  return whole.length * 2 < text.length ? text : whole;
}

/** Shortens a text as {@linkcode cutText} does behind its beginning, by which it is known again. */
export function cutBehindHead(text: string, maxChars: number): string {
  const head = boundText(text, WHOLE_HEAD_CHARS).replace(/\S*$/, "");
  return head + cutText(text.slice(head.length), Math.max(0, maxChars - head.length));
}
