/** Finds sentences that state a decision. */

import { DECISION_STATEMENTS } from "./patterns.ts";
import { type ProseLine, sentencesIn } from "../inject/prose.ts";
import { findStatement, type StatementPattern } from "./statement_pattern.ts";
import type { Decision } from "../core/work_state.ts";
import { redactSecrets } from "../secrets/redact.ts";

const MAX_STATEMENTS = 6;
const MAX_SENTENCE_CHARS = 400;

/** Shorter sentences make no sense on their own. */
const MIN_WORDS = 4;

/** A sentence that is labeled as a decision may be shorter. */
const LABELED = /^[\w ]{0,30}\bdecision\s*:/i;

/** A hedge within this many characters of the start applies to the whole sentence. */
const HEDGE_CHARS = 80;

const UNSURE =
  /\b(?:not sure|(?:don'?t|do not) know|maybe|perhaps|somehow|I wonder|wondering|might|I guess|let'?s say|suppose|let me know|for a (?:moment|second))\b/i;

/** Captures the rejected alternative, up to the reason: "a database" in "instead of a database because". */
const ALTERNATIVE =
  /\b(?:instead of|rather than)\s+((?:(?! (?:because|since|so that|given that|as (?:it|they|we|that|this)|to (?:keep|avoid|preserve|stay|match))\b)(?:[^.,:;()]|[.:(](?=\S)|(?<=\S)\))){2,120})/i;

export type Draft = Omit<Decision, "from">;

export function draftOf(decision: string, rationale: string, kind: Decision["kind"]): Draft {
  // Redacts before the alternative is extracted, because a partial credential would not be recognized.
  const words = redactSecrets(decision.slice(0, 2_000));
  const alternative = ALTERNATIVE.exec(words)?.[1]?.trim() ?? "";
  return { decision, rationale, alternatives: alternative === "" ? [] : [alternative], kind };
}

export function readStatements(
  lines: readonly ProseLine[],
  speaker: StatementPattern["speaker"],
): Draft[] {
  const isStated = (sentence: string): boolean =>
    isStatement(sentence) && findStatement(sentence, DECISION_STATEMENTS, speaker) !== undefined;
  const sentences = sentencesIn(lines, "label", "item", "text");
  return sentences.flatMap((sentence, at) => {
    if (!isStated(sentence)) return [];
    const whole = REFERS_BACK.test(sentence) ? `${sentences[at - 1] ?? ""} ${sentence}` : sentence;
    const stated = whole.length <= MAX_SENTENCE_CHARS ? whole.trim() : sentence;
    return [draftOf(stated, REASON.exec(sentence)?.[1] ?? "", speaker)];
  }).slice(0, MAX_STATEMENTS);
}

/** Matches a sentence that makes no sense without the previous one, such as "and keep that as a state". */
const REFERS_BACK = /^(?:and|but|so|then|also)\b[^,.]{0,40}\b(?:it|this|that|them|these|those)\b/i;

const REASON = /\b(?:because|since|so that)\b\s+(.{3,})$/i;

function isStatement(sentence: string): boolean {
  // "Let's do A, can we?" states a decision; its question only asks for agreement.
  const isOpenQuestion = sentence.endsWith("?") && !/^(?:\w+,? )?let'?s\b[^?]*,/i.test(sentence);
  return sentence.length <= MAX_SENTENCE_CHARS && !isOpenQuestion &&
    sentence.split(" ").length >= (LABELED.test(sentence) ? 2 : MIN_WORDS) &&
    !UNSURE.test(sentence.slice(0, HEDGE_CHARS)) && sentence.split('"').length % 2 === 1;
}
