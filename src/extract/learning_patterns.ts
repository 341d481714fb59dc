/** Defines patterns for English sentences that state, announce, withdraw or deny a finding. */

import type { StatementPattern } from "../decisions/statement_pattern.ts";

export const LEARNING_STATEMENTS: readonly StatementPattern[] = [
  {
    name: "root cause",
    speaker: "assistant",
    pattern:
      /^(?:(?:so|and|ok|okay|found it|i found it|great|now i see)[,.!:]?\s+)*(?:the |found the |i found the )?(?:actual |real |underlying )?(?:root cause|culprit)(?: of .{2,80}?)?(?: is| was|\s*[:—–-])\s*(?!why\b|in\b)\S/i,
  },
  {
    name: "turned out",
    speaker: "assistant",
    pattern: /\b(?:it )?(?:turns|turned) out (?:that |to be |the |it |we |this |there )/i,
  },
  {
    name: "the reason was",
    speaker: "assistant",
    pattern:
      /^(?:so |and |ah,? )?(?:the )?(?:real |actual )?(?:reason|cause|bug|issue|problem) (?:(?:for|of|with|behind) .{2,80}? )?(?:is|was) (?!(?:un)?clear|now|real|resolved|fixed|gone|still|likely|either|whether|what|how|where|when|with|open|closed|done)\S/i,
  },
  {
    name: "caused by",
    speaker: "assistant",
    pattern:
      /\b(?:is|was|are|were) (?:actually )?caused by\b|\bthis (?:happens|happened|fails|failed) because\b/i,
  },
  {
    name: "lesson",
    speaker: "assistant",
    pattern:
      /^(?:key |important |main )?(?:lesson(?:s)?(?: learned)?|learning|takeaway|gotcha|insight|finding|caveat|note for (?:later|the future|next time))\s*(?:\d+\s*)?[:—–-]\s*\S|\b(?:lesson learned|worth remembering|keep in mind that|note to self)\b/i,
  },
  {
    name: "asks to remember",
    speaker: "user",
    pattern:
      /^(?:(?:please|and|also|ok|so)[,]?\s+)*(?:remember(?: that|:|,)|keep in mind|note (?:for later|that|to self)\b|for (?:future reference|next time|the future)\b|fyi\b|be aware\b|don'?t forget)/i,
  },
];

/** Matches a sentence that announces a finding, which the next sentence states. */
export const FINDING_ANNOUNCED =
  /^(?:\S+ )?(?:i )?(?:have )?found (?:it|(?:the|a|your) (?:real |actual |root )?(?:bug|cause|problem|issue|culprit|reason))[.!:]*$|^(?:(?:ah|aha|ok(?:ay)?|great|good),? )?(?:now )?i (?:now )?(?:see|understand) the (?:actual |real |root )?(?:bug|cause|problem|issue)(?: now| here)?[.!:]*$|^(?:there it is|root cause (?:confirmed|found|identified))[.!:]*$/i;

export const LEARNING_HEADING =
  /^(?:\d+[.)]\s*)?(?:(?:key|main|important|the|our)\s+)*(?:learnings?|lessons?(?: learned)?|takeaways?|gotchas?|insights?|root causes?|caveats?)(?: (?:found|so far))?\s*:?$/i;

/** Matches the first line of a block of insights in one of the client's output styles. */
export const INSIGHT_OPENING = /^`?\s*★\s*Insights?\b/i;

export const DOES_NOT_COMPILE =
  /\bundefined\b|\bargument counts?\b|\b(?:syntax|compil\w+|build|type|import)[ -](?:errors?|cycles?)\b|\b(?:does|do|will)(?:n't| not) (?:compile|build)\b/i;

export const CLAIMS_PASS =
  /\b(?:tests?|checks?|lint\w*|builds?)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b/i;

export const CONCESSION =
  /^(?:ah,? |oh,? |hmm,? |sorry,? )*(?:(?:you'?re|you are) (?:absolutely |completely |quite )?(?:right|correct)\b|I (?:was (?:wrong|mistaken)|stand corrected|misread|misdiagnosed|misunderstood)\b|my mistake\b|correction:)/i;

export const RECONSIDERS =
  /^(?:(?:but|hmm+|oh|no)[, ]+)*(?:wait[,.!…—–]|hmm+\b|actually,? (?:no\b|wait\b|looking\b|that'?s (?:not|wrong))|let me (?:reconsider|re-?(?:examine|think|read|trace))\b)/i;

/** Matches a verdict that earlier items are wrong or settled, such as "most of the comments are wrong". */
export const OVERRULED =
  /\b(?:most|many|some|several|none|two|three|four) of (?:the |these |those |them|\w+'s )[\w' ]{0,40}\b(?:are|were) \W*(?:wrong|not (?:valid|real)|invalid|false|already (?:handled|fixed|done))\b/i;

const ADMISSION =
  /\bI (?:was (?:wrong|mistaken)|stand corrected|mis\w+|missed|overlooked|conflated|confused|forgot|assumed|made (?:that|it|this) up|should(?:n'?t| not)? have)\b|\bmy (?:mistake|bad|error|fault|apologies)\b|\b(?:sorry|apologi[sz]e)\b|^correction:/i;

export const MAX_ADMISSION_CHARS = 300;

/** Matches a sentence that withdraws the last stated cause. */
export const WITHDRAWN =
  /^(?:(?:actually|hmm|wait|no|ok(?:ay)?|so|but|well)[,.!—–\s-]+)*(?:(?:that|this|it) (?:(?:was|is)n'?t|(?:was|is) not|turns out not to be) (?:it\b|(?:actually )?the (?:\w+ )?(?:issue|problem|cause|bug|culprit|reason)\b)|that'?s not (?:it\b|the (?:\w+ )?(?:issue|problem|cause|bug|culprit|reason)\b)|my (?:earlier|previous|first|initial|original) (?:assumption|hypothesis|diagnosis|theory|guess|claim|analysis|conclusion|statement) (?:was|is) (?:wrong|incorrect|off|mistaken)|I was (?:wrong|mistaken)\b|I (?:misread|misdiagnosed|misjudged)\b|let me (?:now )?(?:find|trace|see|figure out)\b[^.]*\bactual (?:problem|issue|cause|bug)\b)/i;

/** Matches the start of a message that says that the work changed nothing, such as "Still slow.". */
export const UNCHANGED =
  /^(?:(?:hmm+|ok(?:ay)?|no|so|interesting)[,.!…—\s]+)*(?:(?:the|that|this|it|tests?)(?: \w+)? (?:is |are )?)?still (?:slow|fail\w*|broken|the same|not\b|no\b|~?\d|getting|seeing|hang\w*|there|wrong|happen\w*)/i;

export const NO_HELP =
  /^(?:(?:hmm+|ok(?:ay)?|no|nope|so|but|i guess|it|that|this|the \w+|(?:if|when) i [^,.\n]{1,30} i)[,.!\s]+)*(?:still (?:did|do|is|are|no|ca|wo|fail|see|get|got|the same|broken|hang)|(?:did|do|does|is)(?:n'?t| not) (?:work|help|fix)|(?:the )?same (?:error|issue|problem|result)\b)/i;

export const DOUBT =
  /\b(?:you (?:just )?said|none of (?:the|these|those|them)\b[^.!?]{0,40}\b(?:has|have|is|are|was|were)\b|there(?:'s| is| are) no\b|(?:are|r) (?:you|we) sure|where (?:do|did) you (?:get|see|find)|(?:is|was) (?:that|this|it) (?:really|true|right|correct)|(?:that|this)(?:'?s| is)? (?:wrong|incorrect|not (?:true|right|correct|what))|really\?)/i;

export const CONFIRMATION = /^\W*(?:yes|yep|correct|confirmed|indeed|i'?m (?:sure|certain))\b/i;
const REFUTATION = /^no\b(?! (?:problem|worries))/i;

/** Whether the assistant withdraws its last answer, rather than accepting a new request. */
export function isWithdrawal(text: string, prompt: string): boolean {
  const isDoubted = DOUBT.test(prompt);
  const isAdmitted = ADMISSION.test(text.slice(0, MAX_ADMISSION_CHARS));
  return CONCESSION.test(text)
    ? isAdmitted || isDoubted || DENIAL.test(prompt.trimStart())
    : isDoubted && isAdmitted && REFUTATION.test(text);
}

/** Source of a pattern for "no" as an answer, unlike "No tests cover it", "no need" and "no problem". */
export const NO_AS_ANSWER = String
  .raw`no(?=\s*(?:$|[,.!;:—–-])|\s+(?:actually|and|because|but|can'?t|do not|don'?t|i|instead|its?|it'?s|just|keep|let'?s|like|more|never|not|please|stop|that|that'?s|the|there|these|they|this|those|use|wait|we|what|you)\b)`;

export const DENIAL = new RegExp(
  String
    .raw`^(?:(?:ok(?:ay)?|uh+|um+|hmm+|well|but|sorry)[,.!\s]+)*(?:${NO_AS_ANSWER}|nope\b|that(?:'?s| is) (?:not (?:it|true|right|correct|the)\b|wrong|incorrect)|not (?:really|true|quite)\b|wrong\b|i don'?t think (?:so|that'?s|it'?s|this is)\b)`,
  "i",
);
