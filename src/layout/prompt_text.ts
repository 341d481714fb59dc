/** Shortens a prompt to the sentences that matter most for carrying it out. */

import { boundText } from "../inject/bound.ts";
import { MARK } from "../inject/code_blocks.ts";
import { cutText, WHOLE_HEAD_CHARS } from "../inject/ends.ts";
import { isPlan } from "../inject/outline.ts";
import { sentencesOf } from "../inject/prose.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { isByHand, withPlace } from "./lines.ts";
import type { Said } from "../core/work_state.ts";

/** Matches a sentence with a condition, a rule or a limit. */
const RULE =
  /\b(?:if|unless|when|must|should|never|always|only|instead|except|otherwise|not|cannot)\b|n't\b/i;

/** Longest text that counts as one paragraph, in UTF-16 code units. */
const MAX_CHARS = 4_000;
const MIN_SENTENCES = 4;

/**
 * Keeps the first and the last sentence, then sentences with conditions and rules, then others, if they fit.
 * Returns an empty string if the text is too long, has several lines or few sentences, or if its first and
 * last sentence do not fit.
 */
function cutProse(text: string, maxChars: number): string {
  const trimmed = text.trim();
  const sentences = trimmed.includes("\n") || trimmed.length > MAX_CHARS
    ? []
    : sentencesOf(trimmed);
  if (sentences.length < MIN_SENTENCES) return "";
  const last = sentences.length - 1;
  const inner = [...sentences.keys()].slice(1, -1);
  const rules = inner.filter((at) => RULE.test(sentences[at] ?? ""));
  const others = inner.filter((at) => !rules.includes(at));
  const kept = new Set<number>();
  // The last rules come first, because they often correct those before them.
  for (const at of [0, last, ...rules.toReversed(), ...others]) {
    const isFitting = textWith(sentences, new Set([...kept, at])).length <= maxChars;
    if (isFitting) kept.add(at);
    else if (at === 0 || at === last) return "";
  }
  return textWith(sentences, kept);
}

/** Joins the kept sentences, with a mark in place of others. */
function textWith(sentences: readonly string[], kept: ReadonlySet<number>): string {
  return sentences.flatMap((one, at) =>
    kept.has(at) ? one : at === 0 || kept.has(at - 1) ? MARK : []
  ).join(" ");
}

/** Like {@linkcode cutText}, but keeps the start that identifies the text, and the conditions in its prose. */
export function cutAfterHead(text: string, maxChars: number): string {
  const prose = cutProse(text, maxChars);
  if (prose !== "") return prose;
  // The headings of a plan identify it.
  if (isPlan(text.split("\n"))) return cutText(text, maxChars);
  const head = boundText(text, WHOLE_HEAD_CHARS).replace(/\S*$/, "");
  return head + cutText(text.slice(head.length), Math.max(0, maxChars - head.length));
}

/** Matches the note after a short reply that says what the reply chose, and which question it answers. */
const REPLY_NOTE = / \((?:chose|in the assistant's list|asked): [^]*\)$/;

/** Smallest share of the limit that a shortened note is worth, beside the user's own words. */
const MIN_NOTE_SHARE = 1 / 4;

/** Returns the words of the user, without a note about the question. */
export function ownWords(prompt: string): string {
  return prompt.replace(REPLY_NOTE, "");
}

export function promptText({ text, from }: Said, maxChars: number, isRecord = false): string {
  const words = excerptLine(text, Infinity);
  const isCut = words.length > maxChars;
  const shortened = isCut ? excerptLine(shortenPrompt(text, maxChars), Infinity) : words;
  return isRecord || isCut || isByHand(from) ? withPlace(shortened, from) : shortened;
}

/** Shortens the note before the user's own words. */
function shortenPrompt(text: string, maxChars: number): string {
  const own = ownWords(text);
  const left = maxChars - own.length - "…)".length;
  if (own === text || left < 0) return cutAfterHead(own, maxChars);
  const note = text.slice(own.length);
  return left < maxChars * MIN_NOTE_SHARE ? own : `${own}${boundText(note, left).trimEnd()}…)`;
}
