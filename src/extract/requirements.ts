import { setNewest } from "../core/newest.ts";
import { lastQuestion } from "../decisions/agreement.ts";
import {
  plainWords,
  readChoice,
  readOptions,
  startsWithKey,
  textsOf,
} from "../decisions/choices.ts";
import { planToImplement } from "../decisions/dialogs.ts";
import { keyedRowsAsItems } from "../decisions/design_sections.ts";
import { cutText, excerptEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse, sentencesOf } from "../inject/prose.ts";
import type { Collector, Origin, Said } from "../core/work_state.ts";
import { wordsOf } from "../inject/word_set.ts";

/** The first prompt may be longer than later prompts, because it states the overall task. */
const MAX_FIRST_CHARS = 4_000;

export const MAX_LATER_PROMPT_CHARS = 1_400;

/** Higher limit, because a plan that the user hands over is the complete request. */
const MAX_PLAN_CHARS = 6_000;
const MAX_LATER_PROMPTS = 30;

/** A shorter prompt may answer a question; the question is then kept with it. */
const SHORT_CHARS = 60;
const MAX_QUESTION_CHARS = 160;

/** A stopped prompt is a draft if the next prompt starts with the same characters, up to this many. */
const DRAFT_CHARS = 60;
const MIN_DRAFT_CHARS = 15;

/** Two prompts that share fewer words can be similar by chance. */
const MIN_SHARED_WORDS = 5;

/** Source of a regular expression that matches a word of assent, refusal or thanks. */
const ASSENT_WORD =
  "(?:y|yes|yep|yeah|ok|okay|k|sure|no|nope|thanks|thank you|ty|great|perfect|nice|cool|done|lgtm|looks good|sounds good|go|go on|go ahead|continue|proceed|please|keep going|carry on|next|do it|retry|try again)\\b[\\s.,!)]*";

/** Matches a prompt without a request: up to three of these words, as in "yes, go on", or an option's key. */
const ASSENT = new RegExp(`^(?:(?:${ASSENT_WORD}){1,3}|(?:[a-z]|\\d{1,2})[\\s.!)]*)$`, "i");

export function isShortReply(text: string): boolean {
  return ASSENT.test(text.trim());
}

const RULE =
  /\b(?:ensure|please (?!\w+ (?:it|this|that)\b)(?:use|keep|avoid|add|run|write|follow)|make sure|never|always|don'?t|do not|must|should(?:n'?t| not| always| never| only| ask)|only (?:if|when)|unless)\b/i;
const MAX_RULE_CHARS = 240;

/** Whether a short prompt is worded as a rule, which may also apply to later work. */
export function isRule(text: string): boolean {
  return text.length <= MAX_RULE_CHARS && RULE.test(text);
}

/** Matches replies that choose, agree or refer back, such as "2)", "yes" or "Weird, it was there before". */
const BACK_REFERENCE =
  /^(?:\(?(?:\d{1,2}|[a-h])[.):,\s]|(?:yes|yeah|no|ok(?:ay)?|sure|but|and|also|so|then|both|all|option)\b|(?:\w+,? ){0,2}(?:that|this|it|they|these|those)\b)/i;

/** Matches a phrase that only the previous message explains, such as "both changes". */
const POINTER =
  /\b(?:both|these|those|the (?:two|three|four)) (?:\w+ )?(?:changes|commits|fixes|edits|options|issues|points|steps|things|findings)\b|\b(?:all|both|each|some) of (?:them|those|these)\b/i;

export function needsQuestion(reply: string): boolean {
  return reply.length < SHORT_CHARS || refersBack(reply);
}

export function refersBack(text: string): boolean {
  return isShortReply(text) || BACK_REFERENCE.test(text) || POINTER.test(text);
}

export class RequirementCollector implements Collector {
  #first: Said | undefined;
  readonly #later = new Map<string, Said>();
  #last = "";
  #isStopped = false;

  said(text: string): void {
    this.#last = text;
  }

  interrupted(): void {
    this.#isStopped = true;
  }

  prompt(text: string, from: Origin): void {
    const before = this.#last;
    this.#last = "";
    if (this.#isStopped) this.#dropCorrected(text);
    this.#isStopped = false;
    if (isShortReply(text)) return;
    if (this.#first === undefined) {
      this.#first = { text: excerptEnds(text, planChars(text) ?? MAX_FIRST_CHARS), from };
      return;
    }
    const question = text.length < SHORT_CHARS ? questionAnsweredBy(text, before) : "";
    const chosen = chosenFrom(before, text, question !== "");
    const { titles } = chosen;
    const asked = question === "" || chosen.question === "" ? question : chosen.question;
    const notes = [
      titles === "" ? "" : `${asked === "" ? "in the assistant's list" : "chose"}: ${titles}`,
      asked === "" ? "" : `asked: ${excerptLine(asked, MAX_QUESTION_CHARS)}`,
    ].filter((note) => note !== "").join(" — ");
    const kept = excerptEnds(text, planChars(text) ?? MAX_LATER_PROMPT_CHARS) +
      (notes === "" ? "" : ` (${notes})`);
    if (kept === "") return;
    // A repeated request moves to its newest position. A repeat directly after the first request is skipped.
    const isFirst = cutText(this.#first.text, MAX_LATER_PROMPT_CHARS) === kept;
    if (isFirst && this.#later.size === 0) return;
    setNewest(this.#later, kept, { text: kept, from }, MAX_LATER_PROMPTS);
  }

  /** Drops the newest prompt, which the user stopped, if `text` completes or rewords it. */
  #dropCorrected(text: string): void {
    const newest = [...this.#later.keys()].at(-1);
    const before = newest ?? this.#first?.text ?? "";
    if (!beginsLike(text, before) && !isReworded(text, before)) return;
    if (newest === undefined) this.#first = undefined;
    else this.#later.delete(newest);
  }

  finish(): Said[] {
    return this.#first === undefined ? [] : [this.#first, ...this.#later.values()];
  }
}

function beginsLike(text: string, draft: string): boolean {
  const start = draft.slice(0, DRAFT_CHARS);
  return start.length >= MIN_DRAFT_CHARS && text.startsWith(start);
}

function isReworded(text: string, before: string): boolean {
  const [words, wordsBefore] = [wordsOf(text), wordsOf(before)];
  const shared = words.intersection(wordsBefore).size;
  return shared >= MIN_SHARED_WORDS && shared >= Math.max(words.size, wordsBefore.size) * 3 / 4;
}

function planChars(text: string): number | undefined {
  return planToImplement(text) === "" ? undefined : MAX_PLAN_CHARS;
}

const REPLY =
  /^(?:yes|yep|yeah|no|nope|ok|okay|sure|both|all|neither|none|option|the (?:first|second|third|last|former|latter)|\d|[a-h]\b|let'?s (?:do|go|use|keep)|go with|maybe|i(?:'d| would)? (?:prefer|think|like))\b/i;

const OWN_LIST = /^\s*(?:\d{1,2}|[a-h])[.):]\s/im;

/** Matches numbers of items in a list, as in "skip 5, 7 and 8", unless they count things ("fix 3 tests"). */
const NAMED_ITEMS =
  /(?:(?<![\w/])#|\b(?:skip|fix|do|for|to|on|examine|investigate|implement|address|tackle|drop|leave|ignore|except|not|only|also|then|with|(?:issue|item|point|comment|finding|step|number|task|part)s?) #?)\d{1,2}(?:(?:,|,? (?:and|or|&)|\+) ?#?\d{1,2})*(?![\w%]|[./:-]\w|\s+(?:more|or|to)\b|\s+\w+s\b)/gi;

const MAX_NAMING_CHARS = 200;

/** Returns the items of the assistant's list that a short message names by their numbers, if it has them all. */
function itemsNamedIn(reply: string, lines: readonly ProseLine[]): string[] {
  const named = reply.length > MAX_NAMING_CHARS ? [] : reply.match(NAMED_ITEMS) ?? [];
  const keys = named.flatMap((one) => one.match(/\d+/g) ?? []);
  const items = keys.flatMap((key) => {
    // A list can consist of numbered headings.
    const item = lines.findLast((line) => line.key === key || line.text.startsWith(`${key}. `));
    return item === undefined ? [] : excerptLine(
      item.key === key ? `${key}. ${item.text}` : item.text,
      MAX_QUESTION_CHARS,
    );
  });
  return items.length === keys.length ? items : [];
}

/** A shorter title can be in a message by chance. */
const MIN_TITLE_WORDS = 3;

/** Matches what follows the title of an option, as in "Keep it local (as it is now)". */
const BELOW_TITLE = /(?: [(—–-]|[:;]).*$/s;

function isTitled(reply: string, option: string): boolean {
  const title = plainWords(option.replace(BELOW_TITLE, ""));
  return title.split(" ").length >= MIN_TITLE_WORDS &&
    ` ${plainWords(reply)} `.includes(` ${title} `);
}

const LIST_START = /^\d{1,2}[.)]\s+\p{L}{2}/u;

const MAX_CHOSEN_CHARS = 400;

/** An item of the assistant's list counts as chosen if the user's list contains this many of its words. */
const MIN_ITEM_WORDS = 2;

/**
 * Returns the titles of the options or items that a reply such as "B" chooses, and the question that
 * introduces them; empty if the reply chooses none by its key.
 */
function chosenFrom(
  before: string,
  reply: string,
  isAsked: boolean,
): { readonly titles: string; readonly question: string } {
  const lines = readProse(keyedRowsAsItems(before));
  const isKey = startsWithKey(reply);
  const options = isKey || !OWN_LIST.test(reply) ? readOptions(lines, reply) : undefined;
  const taken = options === undefined ? [] : readChoice(reply, options)?.taken ??
    options.options.filter(({ text }) => isTitled(reply, text));
  if (taken.length === 0) return { titles: itemsNamedIn(reply, lines).join("; "), question: "" };
  const own = wordsOf(reply);
  // The user's own list, or one pasted from an older answer, has other items under the same numbers.
  const isOwnList = !isAsked && LIST_START.test(reply);
  const meant = taken.filter(({ text }) =>
    (isKey || wordsOf(text).difference(own).size > 0) &&
    (!isOwnList || wordsOf(text).intersection(own).size >= MIN_ITEM_WORDS)
  );
  const titles = textsOf(meant).map((text) =>
    excerptLine(text, meant.length === 1 ? MAX_CHOSEN_CHARS : MAX_QUESTION_CHARS)
  );
  const question = sentencesOf(options?.question ?? "").findLast((one) => one.endsWith("?")) ?? "";
  return { titles: titles.join("; "), question: titles.length === 0 ? "" : question };
}

function questionAnsweredBy(text: string, before: string): string {
  const question = lastQuestion(readProse(before));
  if (question === "" || REPLY.test(text)) return question;
  if (/\?\s*$/.test(text)) return "";
  const asked = wordsOf(question);
  return [...wordsOf(text)].some((word) => word.length > 3 && asked.has(word)) ? question : "";
}
