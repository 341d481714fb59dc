/** Collects next steps from the assistant's last messages, and questions that the user has not answered. */

import { lastPart } from "../core/last_part.ts";
import { isObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { lastQuestion } from "../decisions/agreement.ts";
import { readOptions } from "../decisions/choices.ts";
import { describeEdits, filesEditedBy } from "../inject/edits.ts";
import { cutEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse, sentencesIn } from "../inject/prose.ts";
import { lateOffer } from "../inject/step_words.ts";
import { isShortReply } from "./requirements.ts";
import { isEmptyItem } from "./summed_up.ts";
import type {
  Collector,
  FinishedCall,
  Issue,
  NextStep,
  OpenCall,
  Origin,
} from "../core/work_state.ts";

const MAX_TEXT_CHARS = 16 * 1024;
const MAX_ITEMS = 20;
const MAX_ITEM_CHARS = 300;

const NEXT_HEADING =
  /^(?:recommended |suggested |immediate |possible )?(?:next (?:steps?|actions?|up|tasks?)|what'?s (?:next|left)|remaining(?: (?:work|tasks?|steps?|items?))?|still to do|to-?dos?|follow-?ups?)$/i;

/** Matches a question that asks for the next request or whether to continue, such as "Anything else?". */
const FAREWELL =
  /\b(?:anything else|what(?:'s| is) next|what would you like|(?:shall|should) (?:i|we) (?:go on|continue|proceed))\b/i;

const NEXT_SENTENCE = /^next(?: up| steps?)?:\s+/i;

export class ClosingCollector implements Collector {
  #steps: NextStep[] = [];
  /** Names of the files that were edited since the steps were listed. */
  #edited: Set<string> = new Set();
  #asked: Issue[] = [];

  /** Drops the open questions and, unless the prompt is a short reply, the next steps. */
  prompt(text: string): void {
    this.#asked = [];
    if (!isShortReply(text)) this.#steps = [];
  }

  said(text: string, from: Origin): void {
    const end = text.slice(-MAX_TEXT_CHARS);
    const lines = readProse(end);
    const next = nextStepsIn(lines).map((step) => ({ step, status: "pending" as const, from }));
    if (next.length > 0) [this.#steps, this.#edited] = [next, new Set()];
    this.#asked = questionsOf([questionIn(lines) || lateOffer(end)], from);
  }

  /**
   * Drops the open questions after a call in the main conversation, because the assistant continues without
   * an answer. If the call is a failed dialog, its own questions become the open questions.
   */
  call(call: FinishedCall): void {
    for (const file of filesEditedBy(call)) this.#edited.add(lastPart(file));
    if (call.isSidechain) return;
    this.#asked = [];
    if (call.isError) this.unfinished(call);
  }

  unfinished({ name, input, isSidechain, from }: OpenCall): void {
    if (isSidechain) return;
    const given = name === "AskUserQuestion" ? input.questions : undefined;
    const asked = Array.isArray(given) ? given.slice(0, MAX_ITEMS).filter(isObject) : [];
    this.#asked = questionsOf(asked.map(({ question }) => asString(question) ?? ""), from);
  }

  finish(): { readonly steps: readonly NextStep[]; readonly issues: readonly Issue[] } {
    const since = describeEdits(this.#edited);
    const steps = since === "" ? this.#steps : this.#steps.map((step) => ({ ...step, since }));
    return { steps, issues: this.#asked };
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

/**
 * Lists the items under a heading such as "Next steps", without their details, and the text of lines that
 * start with "Next:".
 */
function nextStepsIn(lines: readonly ProseLine[]): string[] {
  let isListed = false;
  return lines.filter(({ kind, text, indent }) => {
    if (kind !== "item") isListed = NEXT_HEADING.test(text.replace(/:$/, ""));
    if (kind === "text" && NEXT_SENTENCE.test(text)) return true;
    return isListed && kind === "item" && indent === 0 && !/^\[x\]/i.test(text);
  }).map(({ text }) => plainItem(text.replace(/^\[ \] /, "").replace(NEXT_SENTENCE, "")))
    .filter((one) => !isEmptyItem(one)).slice(0, MAX_ITEMS);
}

function plainItem(item: string): string {
  return excerptLine(item.replaceAll(/\*\*|__/g, "").trim(), MAX_ITEM_CHARS);
}
