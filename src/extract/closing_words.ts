/** Collects next steps from the assistant's last messages, and questions that the user has not answered. */

import { lastPart } from "../core/last_part.ts";
import { isObject } from "../core/record.ts";
import { pushNewest } from "../core/newest.ts";
import { asString } from "../transcript/entry.ts";
import { lastQuestion } from "../decisions/agreement.ts";
import { readOptions } from "../decisions/choices.ts";
import { describeEdits, filesEditedBy } from "../inject/edits.ts";
import { cutEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse, sentencesIn } from "../inject/prose.ts";
import { lateOffer } from "../inject/step_words.ts";
import { wordsOf } from "../inject/word_set.ts";
import { isShortReply } from "./requirements.ts";
import { isEmptyItem } from "./summed_up.ts";
import type {
  Collector,
  FinishedCall,
  Issue,
  NextStep,
  OpenCall,
  Origin,
  Said,
} from "../core/work_state.ts";

const MAX_TEXTS = 3;
const MAX_TEXT_CHARS = 16 * 1024;
const MAX_ITEMS = 20;
const MAX_ITEM_CHARS = 300;

const NEXT_HEADING =
  /^(?:recommended |suggested |immediate |possible )?(?:next (?:steps?|actions?|up|tasks?)|what'?s (?:next|left)|remaining(?: (?:work|tasks?|steps?|items?))?|still to do|to-?dos?|follow-?ups?)(?: \(.{1,40}\))?$/i;

/** Matches a heading that marks its list as done, such as "Remaining work (all done)". */
const DONE_HEADING =
  /\((?!.*\b(?:not|un\w+|to be)\b).*\b(?:done|resolved|fixed|solved|closed|addressed|completed?)\b/i;

/** Matches a question that asks for the next request or whether to continue, such as "Anything else?". */
const FAREWELL =
  /\b(?:anything else|what(?:'s| is) next|what would you like|(?:shall|should) (?:i|we) (?:go on|continue|proceed))\b/i;

/** Matches a reply that postpones the answer, such as "let's leave this for a future exercise". */
const POSTPONEMENT =
  /^(?:(?:ok(?:ay)?|hm+|no|yes|sure|thanks|actually|never ?mind)[,.!]?\s+)*(?:not (?:now|yet)\b|later\b(?! on\b)|(?:let'?s|we(?:'ll| will| can| should)|i(?:'ll| will)|please)\b[^.?!,\n]{0,50}(?:(?<!\bfor )\blater\b(?! on\b)|\bfuture (?:\w+ )?(?:exercise|pr|task|work|release|issue)\b|\bfollow[- ]?up\b|\bcome back to (?:it|that|this)\b|\b(?:park|defer|postpone|revisit) (?:it|that|this)\b)|(?:park|defer|postpone) (?:it|that|this)\b)/i;

/** A prompt that contains at least this fraction of a question's words is about that question. */
const MIN_SHARED_FRACTION = 0.5;

const MAX_POSTPONED = 3;
const MAX_REPLY_CHARS = 120;

const NEXT_SENTENCE = /^\**next(?: up| steps?)?:\**\s+/i;

interface ClosingText extends Said {
  readonly edited: Set<string>;
}

export class ClosingCollector implements Collector {
  readonly #texts: ClosingText[] = [];
  #asked: Issue[] = [];
  #postponed: { readonly asked: Issue; readonly reply: string }[] = [];

  /**
   * Drops the open questions and, unless the prompt is a short reply, the last messages. Questions that the
   * user postpones are kept separately, each until a later prompt contains at least half of its words.
   */
  prompt(text: string): void {
    const words = wordsOf(text);
    this.#postponed = this.#postponed.filter(({ asked }) => {
      const own = wordsOf(asked.issue);
      return words.intersection(own).size < own.size * MIN_SHARED_FRACTION;
    });
    const reply = cutEnds(excerptLine(text, Infinity), MAX_REPLY_CHARS);
    for (const asked of POSTPONEMENT.test(reply) ? this.#asked : []) {
      pushNewest(this.#postponed, { asked, reply }, MAX_POSTPONED);
    }
    this.#asked = [];
    if (!isShortReply(text)) this.#texts.length = 0;
  }

  said(text: string, from: Origin): void {
    const end = text.slice(-MAX_TEXT_CHARS);
    pushNewest(this.#texts, { text: end, from, edited: new Set() }, MAX_TEXTS);
    this.#asked = questionsOf([questionIn(readProse(end)) || lateOffer(end)], from);
  }

  /**
   * Drops the open questions after a call in the main conversation, because the assistant continues without
   * an answer. If the call is a failed dialog, its own questions become the open questions.
   */
  call(call: FinishedCall): void {
    const { isError, isSidechain } = call;
    for (const file of filesEditedBy(call)) {
      this.#texts.forEach(({ edited }) => edited.add(lastPart(file)));
    }
    if (isSidechain) return;
    this.#asked = [];
    if (isError) this.unfinished(call);
  }

  unfinished({ name, input, isSidechain, from }: OpenCall): void {
    if (isSidechain) return;
    const given = name === "AskUserQuestion" ? input.questions : undefined;
    const asked = Array.isArray(given) ? given.slice(0, MAX_ITEMS).filter(isObject) : [];
    this.#asked = questionsOf(asked.map(({ question }) => asString(question) ?? ""), from);
  }

  finish(): { readonly steps: NextStep[]; readonly issues: Issue[] } {
    const steps: NextStep[] = [];
    const postponed = this.#postponed.toReversed().map(({ asked, reply }) => ({
      ...asked,
      issue: `${asked.issue} (the user put it off: "${reply}")`,
    }));
    const issues: Issue[] = [...this.#asked, ...postponed];
    for (const { text, from, edited } of this.#texts.toReversed()) {
      const since = describeEdits(edited);
      const noted = since === "" ? {} : { since };
      const listed = nextStepsIn(text);
      steps.push(...listed.map((step) => ({ step, status: "pending" as const, ...noted, from })));
    }
    return { steps: steps.slice(0, MAX_ITEMS), issues: issues.slice(0, MAX_ITEMS) };
  }
}

const BACK_REFERENCE = /\b(?:this|that|it|these|those|them)\b/i;

const SHORT_QUESTION_CHARS = 80;

/** Matches a question that offers a choice without naming the options, such as "Which one should I use?". */
const CHOICE_QUESTION = /^(?:which|what) (?:one|option|approach|way|of)\b[^.]{0,60}\?$/i;

const MAX_OPTION_CHARS = 60;
const MAX_REFERENT_CHARS = 200;

function questionIn(proposal: readonly ProseLine[]): string {
  const question = lastQuestion(proposal);
  const { question: above, options } = readOptions(proposal) ?? { question: "", options: [] };
  const choices = options.map(({ key, text }) => `${key}. ${cutEnds(text, MAX_OPTION_CHARS)}`);
  const isLast = proposal.at(-1)?.text.endsWith(options.at(-1)?.text ?? "?") ?? false;
  // Includes the options if the question precedes them, is part of an option, or does not mention them.
  if (isLast && above.endsWith("?")) return [above, ...choices].join(" ");
  if (question === "") return "";
  const isOption = options.some(({ text }) => text.includes(question) || question.endsWith(text));
  if (isOption) return [above, ...choices].join(" ");
  if (CHOICE_QUESTION.test(question)) return [question, ...choices].join(" ");
  if (question.length > SHORT_QUESTION_CHARS || !BACK_REFERENCE.test(question)) return question;
  const said = sentencesIn(proposal, "text", "item");
  const before = said.slice(0, said.lastIndexOf(question))
    .findLast((words) => !words.endsWith(":"));
  return before === undefined ? question : `${cutEnds(before, MAX_REFERENT_CHARS)} ${question}`;
}

function questionsOf(questions: readonly string[], from: Origin): Issue[] {
  return questions.map(plainItem).filter((text) => text !== "" && !FAREWELL.test(text))
    .map((issue) => ({ issue, kind: "question", from }));
}

/** Lists the items under a heading such as "Next steps", and the text of lines that start with "Next:". */
function nextStepsIn(text: string): string[] {
  const next: string[] = [];
  let isListed = false;
  let isInCode = false;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (/^(?:`{3}|~{3})/.test(line)) isInCode = !isInCode;
    if (isInCode || line === "") continue;
    const [, box = "", item] = /^(?:[-*+]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?(.+)$/.exec(line) ?? [];
    const isNested = /^\s{2,}/.test(raw);
    if (item !== undefined) {
      // Skips nested items, which are details of their parent, and checked items.
      if (isListed && !isNested && !/x/i.test(box)) next.push(plainItem(item));
      continue;
    }
    const heading = plainItem(line.replace(/^#{1,6}\s+/, "").replace(/:\**$/, ""));
    if (NEXT_HEADING.test(heading)) isListed = !DONE_HEADING.test(heading);
    else if (!isNested) {
      isListed = false;
      if (NEXT_SENTENCE.test(line)) next.push(plainItem(line.replace(NEXT_SENTENCE, "")));
    }
  }
  return next.filter((one) => !isEmptyItem(one));
}

function plainItem(item: string): string {
  return excerptLine(item.replaceAll(/\*\*|__/g, "").trim(), MAX_ITEM_CHARS);
}
