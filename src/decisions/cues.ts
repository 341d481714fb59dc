/** Patterns for messages that agree, propose, report or narrate, mostly in English. */

export const DECISION_CUES = {
  /** The assistant accepts what the user said. */
  acknowledgement:
    /^(?:got it|(?:that )?makes sense|I (?:like|love) (?:it|that|this)|love (?:it|that|this)|much (?:better|cleaner|simpler)|(?:perfect|great|excellent|ok|okay|right|good|ah|yes)[!.,—–\s-]+(?:so|then|we'll|that means|that simplifies|this means|got it|(?:that )?makes sense|I (?:like|love) (?:it|that))|you'?re (?:absolutely |totally |completely )?right(?=.{0,200}\b(?:should(?:n't)?|don't need|no need|simpler|better|cleaner|instead|unnecessary|overkill|over-?(?:complicat|engineer)\w*))|understood|agreed|yes,? that'?s (?:a |the )?(?:good|great|better|right|nice|reasonable|sensible|clean)|that'?s a (?:good|great|nice|smart|clever|better|clean\w*|solid|reasonable) (?!question|catch|observation)|(?:good|great|excellent|smart|nice|fair) (?:idea|call|thinking|choice|approach|point))\b(?! to (?:check|investigate|look|verify|test))/i,
  /** The user accepts a proposal. */
  agreement:
    /^(?:(?:now|and|so|ok|okay|yes|please|great|cool)[,!.]?\s+)*(?:yes|yep|yeah|yup|y|ok|okay|sure|do it|do that|do so|go ahead|go for it|proceed|please do|please|sounds? (?:good|great|right|fine|reasonable)|looks? (?:good|great|right|fine)|lgtm|perfect|great|correct|right|agreed?|approved?|exactly|that works|works for me|makes sense|love it|fine|good(?: to go|,|$)|nice|all good|that (?:sounds|looks) (?:good|great|right|fine|reasonable)|that'?s (?:good|great|fine|right|perfect|correct)|(?:it )?looks good|I agree|continue|go$|next$|네|예|응|좋아\S*|그래|진행\S*|oui|ja|sí|好|implement (?:it|this|that|the fix|the plan)|fix it|ship it)(?![\w'])/i,
  /** The assistant asks whether its proposal is right. */
  confirmation:
    /^(?:so,?\s+|and\s+)?(?:(?:do|does|is|are) (?:this|that|these|the|it|my|all)\b.*(?:look|match|work|right|make sense|capture|sound|correct|good|ok|align|fit|reasonable|expect|cover|approve|agree|happy)|(?:look|sound|make|ok|okay|any|thoughts|agree|shall we|should (?:i|we)|want me|would you like|do you want|ready|approve|good to go|happy|lgtm)\b)/i,
  /** An offer of a routine step, such as continuing, checking or committing, which is not a decision. */
  trivialOffer:
    /^(?:(?:also|now|go ahead and|just|then)\s+)*(?:start|begin|continue|proceed|go|commit|push|run|re-?run|open|investigate|look|check|explain|show|draft|help|try|test|verify|review|see|stop|wait|take|tackle|explore|dig|clarify|walk|(?:rename|use|remove|delete|move|change|keep) (?:it|this|that|these|those|them)$|(?:implement|make|apply|fix|do|add|write|update|create|address)(?: (?:it|this|that|these|those|them|any|all|both|either|the|a|an|some|one)\b(?! \w+ (?:to|by|with|so)\b).{0,40})?$)/i,
  decided:
    /^(?:\d+[.)]\s*)?(?:(?:the|our|key|design|main|final|technical|architectural?|locked|agreed|confirmed|my)\s+)*(?:decisions?(?: (?:made|taken|so far|log|summary))?|agreed(?: on)?|confirmed|settled|locked in|결정(?: ?사항)?)\s*:?$/i,
  /** The heading or label of a section without decisions. */
  undecided:
    /\b(?:problems?|background|context|root cause|current state|findings?|examples?|questions?|next steps?|verification|success|risks?|insights?|effort|timeline|files?|notes?|motivation|why|issues?|tests? (?:plan|cases?)|summary of|edge cases|missing|priority|unit tests?|bugs?(?: location)?)\b/i,
  choosing:
    /\b(?:uses?|using|instead|rather|remov(?:ed|es?)|deleted?|dropped|replaced?|no longer|only|default\w*|single|shared?|skipp?(?:ed|s)?|kept|keeps?|never|always|cannot|configurable|opt-?out|unique|exactly|must|consistent|stores?)\b/i,
  narration:
    /^(?:now,? )?(?:let me|let's|I'll (?:start|run|read|check|look|now|first|begin|continue|explore|follow|review|help|search|find|investigate|create a|write the|update the todo)|I (?:need|can see|see|have enough)|now (?:I|let|that)|first,|next,|looking at|one moment|starting)/i,
  /** The user hands over a previously approved plan. */
  handedPlan: /^implement the following plan\s*:/i,
} as const satisfies { readonly [role: string]: RegExp };
