/**
 * What tells how a message is to be taken: that it agrees, proposes, reports, or only narrates.
 * English ones, each looking at the beginning of a message, at one sentence, or at a heading.
 */

import type { StatementPattern } from "../statement_pattern.ts";

/** The cues, by what they tell. */
export const DECISION_CUES = {
  acknowledgement: {
    name: "takes up what the user said",
    speaker: "assistant",
    pattern:
      /^(?:got it|(?:that )?makes sense|I (?:like|love) (?:it|that|this)|love (?:it|that|this)|much (?:better|cleaner|simpler)|(?:perfect|great|excellent|ok|okay|right|good|ah|yes)[!.,—–\s-]+(?:so|then|we'll|that means|that simplifies|this means|got it|(?:that )?makes sense|I (?:like|love) (?:it|that))|you'?re (?:absolutely |totally |completely )?right(?=.{0,200}\b(?:should(?:n't)?|don't need|no need|simpler|better|cleaner|instead|unnecessary|overkill|over-?(?:complicat|engineer)\w*))|understood|agreed|yes,? that'?s (?:a |the )?(?:good|great|better|right|nice|reasonable|sensible|clean)|that'?s a (?:good|great|nice|smart|clever|better|clean\w*|solid|reasonable) (?!question|catch|observation)|(?:good|great|excellent|smart|nice) (?:idea|call|thinking|choice|approach))\b(?! to (?:check|investigate|look|verify|test))/i,
    examples: {
      match: ["Got it - files only.", "That's a good idea - use an agent", "Makes sense, skip it"],
      noMatch: ["Good question - it depends", "Let me look", "That's a sharp observation."],
    },
  },
  weakAcknowledgement: {
    name: "takes up what the user said, where that was a decision",
    speaker: "assistant",
    pattern:
      /^(?:right|good|great|perfect|sounds good|noted|ok|okay|fair|exactly|absolutely|excellent|clear|yes|sure|will do)\b(?! question| news| context| catch| progress| feedback| work)/i,
    examples: {
      match: ["Good. So it is a file:", "Right - only one of them."],
      noMatch: ["Good question - it depends", "Let me look"],
    },
  },
  agreement: {
    name: "agrees to what was proposed",
    speaker: "user",
    pattern:
      /^(?:(?:now|and|so|ok|okay|yes|please|great|cool)[,!.]?\s+)*(?:yes|yep|yeah|yup|y|ok|okay|sure|do it|do that|do so|go ahead|go for it|proceed|please do|please|sounds? (?:good|great|right|fine|reasonable)|looks? (?:good|great|right|fine)|lgtm|perfect|great|correct|right|agreed?|approved?|exactly|that works|works for me|makes sense|love it|fine|good(?: to go|,|$)|nice|all good|that (?:sounds|looks) (?:good|great|right|fine|reasonable)|that'?s (?:good|great|fine|right|perfect|correct)|(?:it )?looks good|I agree|continue|go$|next$|네|예|응|좋아\S*|그래|진행\S*|oui|ja|sí|好|implement (?:it|this|that|the fix|the plan)|fix it|ship it)(?![\w'])/i,
    examples: {
      match: ["yes", "Sounds good!", "now, please, implement the fix", "ok go ahead"],
      noMatch: ["no", "not yet", "yesterday it worked", "what is right?"],
    },
  },
  confirmation: {
    name: "asks whether what it proposed is right",
    speaker: "assistant",
    pattern:
      /^(?:so,?\s+|and\s+)?(?:(?:do|does|is|are) (?:this|that|these|the|it|my|all)\b.*(?:look|match|work|right|make sense|capture|sound|correct|good|ok|align|fit|reasonable|expect|cover|approve|agree|happy)|(?:look|sound|make|ok|okay|any|thoughts|agree|shall we|should (?:i|we)|want me|would you like|do you want|ready|approve|good to go|happy|lgtm)\b)/i,
    examples: {
      match: ["Does this look right so far?", "Would you like me to use a map?", "Sound good?"],
      noMatch: ["What is your goal?", "Which one?"],
    },
  },
  trivialOffer: {
    name: "offers only to go on",
    speaker: "assistant",
    pattern:
      /^(?:(?:also|now|go ahead and|just|then)\s+)*(?:start|begin|continue|proceed|go|commit|push|run|re-?run|open|investigate|look|check|explain|show|draft|help|try|test|verify|review|see|stop|wait|take|tackle|explore|dig|clarify|walk|(?:rename|use|remove|delete|move|change|keep) (?:it|this|that|these|those|them)$|(?:implement|make|apply|fix|do|add|write|update|create|address)(?: (?:it|this|that|these|those|them|any|all|both|either|the|a|an|some|one)\b(?! \w+ (?:to|by|with|so)\b).{0,40})?$)/i,
    examples: {
      match: ["implement the fix", "commit this", "start with phase 1", "make this change"],
      noMatch: ["fix `list()` to use all ids", "use a map"],
    },
  },
  diagnosis: {
    name: "asks what is the case, not what to do",
    speaker: "assistant",
    pattern:
      /\b(?:leads? to|causes?|caused|happens|happening|experienc\w+|seeing|symptoms?|(?:are|were) you (?:running|getting))\b.*\?/i,
    examples: {
      match: ["What typically leads to this?", "Which error are you seeing?"],
      noMatch: ["Which store should it use?"],
    },
  },
  report: {
    name: "reports what was made, and how",
    speaker: "assistant",
    pattern:
      /^(?:(?:all )?done\b|(?:excellent|great|perfect)[!.,]? I(?:'ve| have)\b|all (?:critical|the|of the)\b.*(?:fixed|done|complete)|.{0,60}\b(?:complete|implemented|finished)[!.]|I(?:'ve| have) .*\b(?:created|updated|implemented|added|revised|rewritten|refactored)\b|here'?s (?:the|a|what)\b.*(?:summary|chang|did|implemented)|plan written)/i,
    examples: {
      match: [
        "Done. Here's the summary:",
        "Perfect! I've updated the plan",
        "Implementation Complete!",
      ],
      noMatch: ["Let me look at the file", "I'll fix it", "Excellent. Current state:"],
    },
  },
  decided: {
    name: "heads a list of decisions",
    speaker: "assistant",
    pattern:
      /^(?:\d+[.)]\s*)?(?:(?:the|our|key|design|main|final|technical|architectural?|locked|agreed|confirmed|my)\s+)*(?:decisions?(?: (?:made|taken|so far|log|summary))?|agreed(?: on)?|confirmed|settled|locked in|결정(?: ?사항)?)\s*:?$/i,
    examples: {
      match: ["Key Decisions", "Design decisions made:", "Agreed:"],
      noMatch: ["Decisions needed", "Open decisions", "Agreed to disagree"],
    },
  },
  question: {
    name: "asks how something shall be",
    speaker: "assistant",
    pattern:
      /^(?!.*\b(?:next|proceed|continue|work on|help|start|check|look|investigate|want me to|like me to|see|seeing|happen\w*|error|mean|thinking)\b)(?:.*[,:—–-]\s+)?(?:so,?\s+|and\s+)?(?:which|what (?:should|name|kind|format|is your|are your|would|level|about)|where|how (?:should|do you want|would|many|much|often|far|strict|aggressive)|should|do you (?:want|prefer|need)|would you (?:prefer|rather)|does it need|is it|are (?:we|you|these)|who|when should)\b/i,
    examples: {
      match: ["Where should it live?", "Do you want one file or two?", "Which name fits?"],
      noMatch: ["What would you like to do next?", "Should I continue?", "Why?"],
    },
  },
  undecided: {
    name: "heads a part of a plan or design that decides nothing",
    speaker: "assistant",
    pattern:
      /\b(?:problem|background|context|root cause|current state|findings?|examples?|questions?|next steps?|verification|success|risks?|insights?|effort|timeline|files?|notes?|motivation|why|issue|tests? (?:plan|cases?)|summary of|edge cases|missing|priority|unit tests?)\b/i,
    examples: {
      match: ["Problem", "Files to change", "Open questions"],
      noMatch: ["Error handling", "Data Model"],
    },
  },
  passingItem: {
    name: "reports that something went well",
    speaker: "assistant",
    pattern:
      /\b(?:(?:tests?|build|lint\w*|checks?|gates?|typecheck|typescript|hooks?|suite)\b.{0,60}\b(?:pass\w*|succe\w+|clean|green|ok|works?|working)|\d+ issues|no (?:changes|errors)|pushed|merged|rebased?|conflicts? resolved|test (?:code|cases?|file))\b|\b\w*_tests?\.\w+|^(?:test|tests|lint\w*|build)\b/i,
    examples: {
      match: ["Linter: 0 issues", "All tests pass", "Build succeeds"],
      noMatch: ["Keys are read from the environment"],
    },
  },
  choosing: {
    name: "speaks of a choice, not only of a step",
    speaker: "assistant",
    pattern:
      /\b(?:uses?|using|instead|rather|remov(?:ed|es?)|deleted?|dropped|replaced?|no longer|only|default\w*|single|shared?|skipp?(?:ed|s)?|kept|keeps?|never|always|cannot|configurable|opt-?out|unique|exactly|must|consistent|stores?)\b/i,
    examples: {
      match: ["Uses one file", "Removed the cache", "Thresholds are configurable"],
      noMatch: ["Streaming is back"],
    },
  },
  narration: {
    name: "tells the next action",
    speaker: "assistant",
    pattern:
      /^(?:now,? )?(?:let me|let's|I'll (?:start|run|read|check|look|now|first|begin|continue|explore|follow|review|help|search|find|investigate|create a|write the|update the todo)|I (?:need|can see|see|have enough)|now (?:I|let|that)|first,|next,|looking at|one moment|starting)/i,
    examples: {
      match: ["Let me run the tests.", "Now let me look"],
      noMatch: ["Cleanup is out of scope.", "I'll use files instead of a database"],
    },
  },
  takesBack: {
    name: "takes the last decision back",
    speaker: "user",
    pattern:
      /^(?:(?:no|oh|hm+|wait|sorry|ok|okay)[,.!]?\s+)*(?:actually,?\s+(?:no|let'?s not|don'?t|never ?mind|scratch|forget|i changed my mind)|scratch that|never ?mind|nvm|forget (?:it|that|about)|i changed my mind|revert (?:that|this|it)|undo (?:that|this|it))/i,
    examples: {
      match: ["actually, no, keep the file", "Scratch that", "never mind"],
      noMatch: ["actually that works", "no tests please"],
    },
  },
  handedPlan: {
    name: "hands over a plan that was approved before",
    speaker: "user",
    pattern: /^implement the following plan\s*:/i,
    examples: { match: ["Implement the following plan:"], noMatch: ["implement it"] },
  },
} as const satisfies { readonly [role: string]: StatementPattern };
