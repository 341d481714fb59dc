/** Reads the assistant's thinking: its findings, the step that it plans next, and the steps that it lists. */

import { RETRACTION } from "../../decisions/corrections.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { type ProseLine, readProse, sentencesOf } from "../../inject/prose.ts";
import { isAnnouncement, LIST_UPDATE } from "../../inject/step_words.ts";

const MAX_THOUGHT_CHARS = 480;
const MIN_THOUGHT_WORDS = 5;

/** Matches a sentence that does not say what the assistant found, such as "Now I can see the issue.". */
const EMPTY_FINDING =
  /^(?:\w+[,!]? )?I (?:can )?(?:now )?(?:see|understand) (?:the|this) \w+[.!]?$/i;

/** Matches the place of a line break that a stored thought has lost, as in "the callsLet me fix them". */
const LOST_BREAK =
  /(?<=[\p{Ll}`).:])(?=(?:(?:Let me|Now (?:I|let)|I need to|I'll)\b|\d\. [`\p{Lu}]))/gu;

function linesOf(thought: string): ProseLine[] {
  return readProse(thought.replaceAll(LOST_BREAK, "\n"));
}

/** Whether a thought does more than announce the next call, as in "I should use `open()`.". */
export function concludes(text: string): boolean {
  return sentencesOf(text).some((one) =>
    !isAnnouncement(one) && one.split(" ").length >= MIN_THOUGHT_WORDS
  );
}

export function announcesOnly(text: string): boolean {
  return sentencesOf(text.trim()).every((one) => isAnnounced(one) || NARRATION.test(one));
}

function isAnnounced(sentence: string): boolean {
  return sentence.endsWith(":") || isAnnouncement(sentence);
}

/**
 * Returns the end of a thought; empty if it states no finding. Leaves out a planned step at the end, what the
 * thought itself retracts, and everything before the first statement that does more than repeat the request.
 * List items stay with the sentence that introduces them, because they are meaningless without it.
 */
export function thoughtIn(text: string): string {
  const all = linesOf(text).flatMap(({ kind, text }) =>
    sentencesOf(text).map((words) => ({ words, isItem: kind === "item" }))
  );
  const isStatement = ({ words, isItem }: typeof all[number], at: number): boolean =>
    words.endsWith(":")
      ? all[at + 1]?.isItem === true
      : isItem || (!words.endsWith("?") && !isAnnouncement(words));
  const isPlanned = isAnnouncement(all.at(-1)?.words ?? "");
  const statements = isPlanned ? all.slice(0, -1) : all;
  const retracted = statements.findLastIndex(({ words }) => RETRACTION.test(words));
  const start = statements.findIndex((one, at) =>
    at > retracted && isStatement(one, at) &&
    (one.words.endsWith(":") || !NARRATION.test(one.words))
  );
  const finding = start < 0 ? [] : statements.slice(start);
  const isFinding = finding.some((one, at) =>
    isStatement(one, at + start) && one.words.split(" ").length >= MIN_THOUGHT_WORDS &&
    !EMPTY_FINDING.test(one.words)
  );
  let left = MAX_THOUGHT_CHARS;
  // Cuts only at the start, because a gap between two sentences could reverse their meaning.
  const from = finding.findLastIndex(({ words }) => (left -= words.length + 1) < 0) + 1;
  const first = finding.findIndex(({ isItem }, at) => at >= from && !isItem);
  const shown = (first < 0 ? [] : finding.slice(first))
    .map(({ words }) => /[.!?:]$/.test(words) ? words : `${words}.`);
  return isFinding ? excerptLine(shown.join(" "), MAX_THOUGHT_CHARS) : "";
}

/**
 * Returns the announcement at the end of a thought, after the change that the sentence before it announces.
 * Returns an empty list if there is none, or if it is short or only concerns the task list.
 */
export function intentionsIn(text: string): string[] {
  const [before = "", last = ""] = ["", ...sentencesOf(linesOf(text).at(-1)?.text ?? "")].slice(
    -2,
  );
  return isIntention(last)
    ? [isIntention(before) && !LOOKS.test(before) ? before : "", last]
      .filter((one) => one !== "")
      .map((one) => excerptLine(one.replace(/:$/, "."), MAX_THOUGHT_CHARS))
    : [];
}

function isIntention(sentence: string): boolean {
  return isAnnouncement(sentence) && sentence.split(" ").length >= MIN_THOUGHT_WORDS &&
    !LIST_UPDATE.test(sentence);
}

/** Matches a sentence that only repeats the request, or says what the assistant can do now. */
const NARRATION =
  /^(?:the user\b|i should\b|now (?:i|we|the user)\b|(?:good|great|ok(?:ay)?|perfect)\b)/i;

const MAX_STEPS_CHARS = 700;
const MIN_STEPS = 2;

/** Matches a line that introduces planned steps. */
const LEAD =
  /\b(?:plan|implement(?:ation)?|i(?:'ll| will| need to| should| have to)|need to|steps?|approach|changes)\b[^.?!]*:$/i;

/** Matches a step that changes something. */
const CHANGE =
  /^\d+\. (?:create|add|modify|update|change|write|implement|remove|delete|rename|move|replace|fix|refactor|extract|use|make|call|pass|extend|handle|convert|return|set)\b/i;

/** Returns the last numbered list of changes that a thought introduces as a plan, in one line; may be empty. */
export function plannedSteps(thought: string): string {
  let lead = "";
  let steps: string[] = [];
  let planned: string[] = [];
  for (const line of linesOf(thought)) {
    if (isStep(line, steps.length + 1)) steps.push(`${line.key}. ${line.text}`);
    else if (line.kind !== "item") [lead, steps] = [line.text, []];
    const changes = steps.filter((step) => CHANGE.test(step));
    if (changes.length >= MIN_STEPS && LEAD.test(lead)) planned = [...steps];
  }
  return excerptLine(planned.join(" "), MAX_STEPS_CHARS);
}

function isStep({ kind, key }: ProseLine, number: number): boolean {
  return kind === "item" && key === String(number);
}

const LOOKS =
  /\b(?:check|look|see|read|search|find|examin|inspect|explor|investigat|trac|review)(?:e|ing)?\b/i;

/**
 * Matches an announcement of look-ups alone. Any look-up that follows carries out the announcement. A word such
 * as "fix" does not announce a change after "the" or "that", or in a clause after "if" or "how".
 */
export const ONLY_LOOKS = new RegExp(
  /^(?!.*(?<!\b(?:an?|the|this|that|these|those|which|its|last|latest|previous) )(?<!\b(?:if|whether|how|what|where|why)\b[^,;]*)\b(?:fix|add|update|write|create|implement|remove|delete|edit|change|refactor|rename|move|replace|run|test|commit|push)\b|.*\bthen\b)/
    .source +
    /(?!.*\band (?!check|see|look|read|find|think|if|whether|how|what|where|why)\w+)/.source +
    `.*${LOOKS.source}`,
  "i",
);

/** Matches words that mark a thought as uncertain. */
const GUESS =
  /\b(?:(?:would|could|might|may) be|probably|perhaps|maybe|something like|I guess|not sure)\b/i;

export function isGuess(thought: string): boolean {
  return GUESS.test(thought);
}

/** Matches a sentence about what the assistant is going to do. */
const INTENT =
  /^(?:(?:so|now|also|then|ok(?:ay)?|first)[, ]+)*(?:(?:i|we) (?:also |now |still |just )?(?:need to|have to|should|want to|will)\b|i'll\b|let me\b|(?:also )?need to\b)/i;

/** Matches words that introduce what the assistant looks at or thinks about. */
const LOOKS_LEAD = new RegExp(`^[^:]*(?:\\bthink|${LOOKS.source})[^:]*: `, "i");

/** Whether a thought introduces a list of planned actions, or all its sentences state such actions. */
export function isPlan(thought: string): boolean {
  const [first = "", ...others] = sentencesOf(thought);
  return INTENT.test(first) && !LOOKS_LEAD.test(first) &&
    (/^[^:]{0,80}:(?: |$)/.test(first) ||
      others.every((one) => INTENT.test(one) || /^\(.*\)$/.test(one)));
}
