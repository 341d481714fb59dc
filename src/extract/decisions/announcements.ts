/**
 * What the assistant says that it will do in one way and not in another, or for a reason. It is a
 * decision only where the assistant then acts on it without being asked first.
 *
 * @module
 */

import type { StatementPattern } from "../statement_pattern.ts";

/** Sentences that announce a choice. Each looks at one sentence, never at more. */
export const ANNOUNCEMENTS: readonly StatementPattern[] = [
  {
    name: "names the way to do it",
    speaker: "assistant",
    pattern:
      /^(?=.*\b(?:only|just|instead|rather|not|so|since|because|when|one|each|per|both|via|without|to (?:avoid|skip|keep|prevent))\b)(?:(?:so|and|but)[, ]+)?(?:fix|(?:the|my)\s+(?:[\w-]+\s+){0,2}(?:fix|solution|approach|model|design|idea))(?: here)?(?: is (?:simpler|simple|straightforward|easy)\b[^:]{0,60})?(?:\s*:| is to| was (?:to|adding|removing|using|making|replacing))\s+\S.{15,}/i,
    examples: {
      match: [
        "The fix: only look at lines that end",
        "The fix was adding a flag to skip the hooks",
      ],
      noMatch: [
        "The fix is correct: it passes now",
        "The fix is to set a timeout",
        "The fix works",
      ],
    },
  },
  {
    name: "chooses against another way",
    speaker: "assistant",
    pattern:
      /^(?!(?:.{0,40}\b)?(?:suggests?|user|reviewer|comment)\b).*\b(?:I'll|I will|let me|should|I'm going to|must|I want to)\b(?! (?:check|find|verify|confirm|look|read|see|understand|trace)\b).{3,160}(?:\b(?:instead of|rather than)\b(?! (?:guess|assum)\w+)|, not (?:the|a|an|in|on|by|with|from|just|\w+ (?:it|them|via|by)|`)|\bwithout (?:any |a |the )?\w+ing\b)/i,
    examples: {
      match: [
        "I'll use a map instead of a list",
        "The route should return the stream, not the response",
        "Let me add it without touching the index",
      ],
      noMatch: [
        "Let me check the types rather than guess",
        "The handler uses a map, not a list",
        "The reviewer says it should return a map instead of a list",
      ],
    },
  },
  {
    name: "intends something for a reason",
    speaker: "assistant",
    pattern:
      /(?:\b(?:I'll|I will|I am going to|I'm going to|let me)|^now(?: also)?)(?: just| simply| instead)? (?:use|go with|keep|put|store|export|extract|move|skip|leave|drop|replace|switch|introduce|name|call|wire|revert|set(?! up)|disable|suppress|make|add|create|implement)\b(?! (?:a |an |the |this |some |more |explicit |focused |failing |unit |regression |integration )*(?:tests?|todos?|task|note|report|summary|docs?)\b).{3,240}(?:\b(?:since|because|so that|to (?:avoid|stay consistent|match|preserve|prevent|silence|ensure|keep|reduce))\b|\bso .{2,60} (?:can|is|are|stays?)\b|\band instead\b|\((?:keeps|avoids|so|to keep|to avoid)\b)/i,
    examples: {
      match: [
        "I'll put it in `paths` since both need it",
        "I'll export the types so resume.go can use them.",
        "I'll use a script (keeps the product free of hooks)",
      ],
      noMatch: ["I'll read the file because it failed", "I'll use grep", "Let me add a test since"],
    },
  },
  {
    name: "change by a named way",
    speaker: "assistant",
    pattern:
      /\blet me (?:fix|simplify|solve|change|rework|redesign|restructure) .{0,80}\bby (?:removing|replacing|switching|using|moving|dropping|making|adding|implementing)\b/i,
    examples: {
      match: ["Let me simplify this by removing the field"],
      noMatch: ["Let me check this by running it", "Let me fix the import"],
    },
  },
];
