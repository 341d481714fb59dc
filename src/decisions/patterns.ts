/** Patterns of decisions in English; each matches within one sentence. */

import type { StatementPattern } from "./statement_pattern.ts";

export const DECISION_STATEMENTS: readonly StatementPattern[] = [
  {
    name: "let us choose",
    speaker: "user",
    pattern:
      /(?:^|[,.;:]\s+|\b(?:so|then|ok|okay|yes|yeah|no|but|and|think|please)\s+)let'?s\s+(?:just\s+|please\s+|also\s+|instead\s+|only\s+)*(?:not|use|go(?! (?:back|on|ahead|through|over|again|look|see)\b)|do(?! (?:it|this|that|these|those|so|what|more)\b)|keep(?! going)|drop|skip|stick|avoid|remove|make|call|rename|replace|switch|move|put|have(?! a look)|limit|leave|default|require|support|store|add(?! (?:a |some |more )*(?:tests?|tasks?|todos?|log)\b)|include|focus|start with|treat|set)\b/i,
  },
  {
    name: "standing rule",
    speaker: "user",
    pattern:
      /^(?:(?:also|and|but|so|please|ok|okay|yes|no|remember|note)[,:]?\s+)*(?:always|never|(?:please\s+)?(?:don'?t|do not)\s+(?!know|think|see|understand|have|need to worry|worry|believe|get|remember|you|care|mind)|avoid\b|make (?:sure|(?:it|them|the|this|all|each) (?!change|fix|commit|edit|update|pr\b|same|work))|no need (?:to|for)\b|(?:have|keep|bear) in mind\b|keep (?:it|the|this|that|them|all|everything|each|every)\b|prefer\b|only [a-z]+ (?:if|when|the|what|it|for|in|on|one|those|these|files|tests)\b)|\b(?:you|we|it|they|this|that|there|tests?|code)\s+(?:must|should)\s+(?:not|never|always|only)\b|\b(?:we|you|it)\s+(?:must|shouldn'?t|mustn'?t)\b|\bwe (?:don'?t|do not) (?:want|need|support|use)\b|\b(?:needs?|has|have|must|ought) (?:to )?be (?!able|done|fixed|updated|reviewed)/i,
  },
  {
    name: "settled preference",
    speaker: "user",
    pattern:
      /\bI(?:'d| would)? (?:rather|prefer)\b|\bI(?: wouldn'?t|'d not)\b|\bI(?:'d| would| do)? (?:want|like|need) (?:it|them|these|to (?:keep|avoid|only|use|integrate|separate|replace|merge|split|move|store|switch|rename|remove|drop|implement (?:it|this|that) as))\b|\b(?:it'?s|that'?s|this is) (?:probably |totally |perfectly )?(?:fine|ok|okay|good enough)(?: (?:to|if|for|with|as)\b| and\b|$)|^(?:(?:so|and|but|also|no|yes|ok|then|i think)[,]?\s+)*(?!(?:I|what|which|who|where|how|why|there)\b|.{0,40}\bthat should\b)[\w`-]+(?: [\w`-]+){0,2} should (?:just |simply |also |probably |all )?(?!(?:be )?(?:able|work|fixed|done|pass|fine|ok|have|know|see|look|check|already)\b)[a-z]+|\bwe(?:'ll| will) (?:use|go with|keep|need|stick)\b|\bwe(?:'d| would|'ll| will)? want (?:to|a|an|the|it|this|that)\b|^(?:(?:no|ok|so|just|please|then|and|yes)[,.]?\s+)*(?:use|do|make|put|write|call|name|go|keep)\b.{0,160}\binstead\b/i,
  },
  {
    name: "labeled decision",
    speaker: "assistant",
    pattern:
      /^(?:(?:key|main|core|design|final|my|architectural?)\s+)*(?:decision|decided|chosen approach|resolution)s?\s*(?:\d+\s*)?[:–—]\s*(?!whether\b|which\b)\S/i,
  },
];
