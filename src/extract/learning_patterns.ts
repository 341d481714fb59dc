/** Defines patterns for English sentences that state or announce a finding. */

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
      /^(?:so |and |ah,? )?(?:the )?(?:real |actual )?(?:reason|cause|bug|issue|problem) (?:(?:for|of|with|behind) .{2,80}? )?(?:is|was) (?!(?:un)?clear|only|the same|now|real|resolved|fixed|gone|still|likely|either|whether|what|how|where|when|with|open|closed|done)\S/i,
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

export const DOES_NOT_COMPILE =
  /\bundefined\b|\bargument counts?\b|\b(?:syntax|compil\w+|build|type|import)[ -](?:errors?|cycles?)\b|\b(?:does|do|will)(?:n't| not) (?:compile|build)\b/i;

export const CLAIMS_PASS =
  /\b(?:tests?|checks?|lint\w*|builds?)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b/i;

export const RECONSIDERS =
  /^(?:(?:but|hmm+|oh|no)[, ]+)*(?:wait[,.!…—–]|hmm+\b|actually,? (?:no\b|wait\b|looking\b|that'?s (?:not|wrong))|let me (?:reconsider|re-?(?:examine|think|read|trace))\b)/i;
