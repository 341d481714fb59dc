/**
 * What the user suggests in a question, and the assistant takes up.
 *
 * @module
 */

import { type ProseLine, sentencesOf } from "../prose.ts";

/** A longer sentence is no suggestion, in UTF-16 code units. */
const MAX_SENTENCE_CHARS = 300;

/** A suggestion of fewer words is not understood without what stands around it. */
const MIN_WORDS = 5;

/** How a suggestion is put, at the beginning of a sentence or of its last part. */
const SUGGESTION =
  /(?:^|[,;]\s+)(?:(?:so|and|but|also|though|ok|okay|then|maybe|hm+)[, ]+)*(?:(?:can|could|should|shouldn'?t|can'?t|would) (?:we|it|this|that|they|the \w+)\b|(?:what|how) about\b|why (?:not|don'?t we)\b|I (?:thought|feel|think|figured|assumed) (?:that )?(?:we|it|this|the|you)\b.{0,80}\b(?:would|should|could|makes? sense)\b)/i;

/** A suggestion that is only to go on, to explain or to look at something. */
const ONLY_GOES_ON =
  /\b(?:can|could|should|would) (?:we|it|this|that) (?:please )?(?:see|check|look|run|test|try|go|continue|start|stop|commit|push|merge|rebase|craft|review|fix (?:it|this|that|these)|know|tell|explain|be (?:wrong|the|because|that|caused)|have (?:been|caused|happened|helped))\b/i;

/** How a reply begins that takes a suggestion up. */
const TAKES_UP =
  /^(?:(?:good|great|excellent|nice) (?:point|idea|catch|call|thinking|suggestion|thought)|that makes sense|makes sense|you'?re (?:absolutely )?right|yes|yeah|sure|absolutely|exactly|got it|understood|agreed|will do|on it|done\b|(?:let me|I'll) (?!check|look|see|verify|find|investigate|explain|trace|search|think|read|help|examine|explore|first)\w+)/i;

/** Finds the suggestions of a message that the reply takes up. */
export function takenSuggestions(
  lines: readonly ProseLine[],
  reply: readonly ProseLine[],
): string[] {
  if (!TAKES_UP.test(reply[0]?.text ?? "")) return [];
  return lines.filter(({ kind }) => kind === "text" || kind === "item")
    .flatMap(({ text }) => sentencesOf(text)).filter(isSuggestion);
}

function isSuggestion(sentence: string): boolean {
  return sentence.length <= MAX_SENTENCE_CHARS && sentence.split(" ").length >= MIN_WORDS &&
    SUGGESTION.test(sentence) && !ONLY_GOES_ON.test(sentence);
}
