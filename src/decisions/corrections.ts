/** Defines patterns for sentences that withdraw, doubt, deny or confirm what the assistant said before. */

import { sentencesOf } from "../inject/prose.ts";
import { ASSISTANT, USER } from "../inject/step_words.ts";

export const CONCESSION =
  /^(?:ah,? |oh,? |hmm,? |sorry,? )*(?:(?:you'?re|you are) (?:absolutely |completely |quite )?(?:right|correct)\b|I (?:was (?:wrong|mistaken)|stand corrected|misread|misdiagnosed|misunderstood)\b|my mistake\b|correction:)/i;

/** Matches a sentence in which the assistant reconsiders what it just said. */
export const SECOND_THOUGHT = /^(?:but |oh,? |no,? )?(?:actually\b|hmm+\b|wait(?=\s*[,.!…—–-]))/i;

/** Matches a sentence that rejects the statements before it. */
export const RETRACTION =
  /^(?:wait|hmm+|hold on|no)\b.*\b(?:contradict\w*|wrong|not (?:right|true|correct)|(?:doesn't|does not) (?:match|fit|make sense|add up)|(?:isn't|is not) (?:right|true|correct))\b/i;

/** Matches a sentence that replaces a cause or a fix that the assistant stated before. */
const REPLACES_CAUSE =
  /^(?:(?:wait|actually|but|so|no|hmm+)[,.!\s—–-]+)+(?:the (?:actual|real) (?:issue|problem|cause|bug)\b|i (?:need|have) to reconsider\b|(?:on second thought|thinking about (?:this|it))\b)/i;

const STATED_CAUSE =
  /\b(?:found the (?:\w+ )?(?:bug|cause|problem|issue|culprit)|root cause|i see the (?:\w+ )?(?:issue|problem|bug)|(?:issue|problem|bug|cause|culprit) (?:is|was) |caused by|fail(?:s|ed|ing) because)/i;

export const CORRECTED = " (a later message corrects this)";

/** Maximum number of steps between a cause and its correction. */
const MAX_STEPS_BETWEEN = 30;

/** Returns the indexes of the messages, among the last steps, whose cause a later message of the turn corrects. */
export function correctedIn(steps: readonly string[]): Set<number> {
  return new Set(steps.flatMap((step, at) => {
    const isCorrection = step.startsWith(ASSISTANT) &&
      sentencesOf(step.slice(ASSISTANT.length)).some((one) =>
        [RETRACTION, REPLACES_CAUSE, NOT_THE_CAUSE].some((pattern) => pattern.test(one))
      );
    if (!isCorrection) return [];
    const before = steps.slice(0, at);
    const from = before.findLastIndex((one) => one.startsWith(USER));
    const stated = before.findLastIndex((one) =>
      one.startsWith(ASSISTANT) && STATED_CAUSE.test(one)
    );
    return stated > Math.max(from, at - MAX_STEPS_BETWEEN) ? stated : [];
  }));
}

/** Matches a verdict that earlier items are wrong or settled, such as "most of the comments are wrong". */
export const OVERRULED =
  /\b(?:most|many|some|several|none|two|three|four) of (?:the |these |those |them|\w+'s )[\w' ]{0,40}\b(?:are|were) \W*(?:wrong|not (?:valid|real)|invalid|false|already (?:handled|fixed|done))\b/i;

const ADMISSION =
  /\bI (?:was (?:wrong|mistaken)|stand corrected|mis\w+|missed|overlooked|conflated|confused|forgot|assumed|made (?:that|it|this) up|should(?:n'?t| not)? have)\b|\bmy (?:mistake|bad|error|fault|apologies)\b|\b(?:sorry|apologi[sz]e)\b|^correction:/i;

export const MAX_ADMISSION_CHARS = 300;

/** Matches a sentence that rejects an earlier cause, such as "The root cause isn't the lock, it's timing". */
export const NOT_THE_CAUSE =
  /^(?:(?:so|and|but|actually)[, ]+)*(?:the )?(?:actual |real )?(?:root cause|cause|issue|problem|bug|culprit) (?:is|was)(?:n'?t| not) (?!that\b|fixed|resolved|new|only|just|yet)/i;

export const DID_NOT_HELP =
  /^(?:(?:hmm+|ok(?:ay)?|no|nope|so|but|i guess|it|that|this|the \w+|(?:if|when) i [^,.\n]{1,30} i)[,.!\s]+)*(?:still (?:did|do|is|are|no|ca|wo|fail|see|get|got|the same|broken|hang)|(?:did|do|does|is)(?:n'?t| not) (?:work|help|fix)|(?:the )?same (?:error|issue|problem|result)\b)/i;

export const DOUBT =
  /\b(?:you (?:just )?said|none of (?:the|these|those|them)\b[^.!?]{0,40}\b(?:has|have|is|are|was|were)\b|there(?:'s| is| are) no\b|(?:are|r) (?:you|we) sure|where (?:do|did) you (?:get|see|find)|(?:is|was) (?:that|this|it) (?:really|true|right|correct)|(?:that|this)(?:'?s| is)? (?:wrong|incorrect|not (?:true|right|correct|what))|really\?)/i;

const REFUTATION = /^no\b(?! (?:problem|worries))/i;

/** Whether the assistant withdraws its last answer, rather than accepting a new request. */
export function isWithdrawal(text: string, prompt: string): boolean {
  const isDoubted = DOUBT.test(prompt);
  const isAdmitted = ADMISSION.test(text.slice(0, MAX_ADMISSION_CHARS));
  return CONCESSION.test(text)
    ? isAdmitted || isDoubted || DENIAL.test(prompt.trimStart())
    : isDoubted && isAdmitted && REFUTATION.test(text);
}

/** Source of a pattern for "no" as an answer, but not for "No tests cover it", "no need" or "no problem". */
export const NO_AS_ANSWER = String
  .raw`no(?=\s*(?:$|[,.!;:—–-])|\s+(?:actually|and|because|but|can'?t|do not|don'?t|i|instead|its?|it'?s|just|keep|let'?s|like|more|never|not|please|stop|that|that'?s|the|there|these|they|this|those|use|wait|we|what|you)\b)`;

export const DENIAL = new RegExp(
  String
    .raw`^(?:(?:ok(?:ay)?|uh+|um+|hmm+|well|but|sorry)[,.!\s]+)*(?:${NO_AS_ANSWER}|nope\b|that(?:'?s| is) (?:not (?:it|true|right|correct|the)\b|wrong|incorrect)|not (?:really|true|quite)\b|wrong\b|i don'?t think (?:so|that'?s|it'?s|this is)\b)`,
  "i",
);
