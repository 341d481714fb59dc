/** Shortens long texts to head and tail: the request is at the start, the point often at the end. */

import { boundText } from "../inject/bound.ts";
import { excerpt } from "./excerpt.ts";

/** Most of either end of a text that is read, in UTF-16 code units. */
const MAX_END_CHARS = 24 * 1024;

export const LEFT_OUT = " […] ";

const HEAD_PART = 2 / 3;

/** Keeps both ends of a text that is too long to be held, cut between words. */
export function heldEnds(text: string): string {
  if (text.length <= 2 * MAX_END_CHARS) return text;
  // Half a credential is not known as one: both ends lose the word that is cut.
  const head = boundText(text, MAX_END_CHARS).replace(/\S+$/, "");
  const tail = text.slice(-MAX_END_CHARS).replace(/^\S+/, "");
  return `${head.trimEnd()}${LEFT_OUT}${tail.trimStart()}`;
}

/** Takes the head and the tail of a text: cleaned, without credentials, cut between words. */
export function excerptEnds(text: string, maxChars: number): string {
  return cutEnds(excerpt(heldEnds(text), Infinity), maxChars);
}

export function cutEnds(text: string, maxChars: number, headPart: number = HEAD_PART): string {
  if (text.length <= maxChars) return text;
  const room = maxChars - LEFT_OUT.length;
  const head = wholeWords(boundText(text, Math.ceil(room * headPart)), /\s+\S*$/);
  const end = text.slice(-Math.floor(room * (1 - headPart)));
  // Behind a sentence that was cut, the rest can say the opposite of it.
  const sentence = end.replace(/^[^]*?[.!?;|]\s+/, "");
  const isCut = sentence === end || sentence.length * 2 < end.length;
  const tail = isCut ? wholeWords(end, /^\S*\s+/) : sentence;
  return `${head}${LEFT_OUT}${tail.toWellFormed().replace(/^\uFFFD/, "")}`;
}

/** Without the word that was cut, unless hardly anything is left then. */
function wholeWords(text: string, cutWord: RegExp): string {
  const whole = text.replace(cutWord, "");
  return whole.length * 2 < text.length ? text : whole;
}
