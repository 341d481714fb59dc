/** Finds the assistant's explanation of a failure in the message after it. */

import { readProse, sentencesIn } from "../inject/prose.ts";
import { EXPECTED, isAnnouncement } from "../inject/step_words.ts";

/** Matches a sentence that only reports an outcome, such as "The tests pass now". */
const ONLY_OUTCOME =
  /\b(?:test failures?|failing tests?|tests? (?:(?:now )?pass|(?:fail\w*|is|are) )|as expected)/i;

/** Only the first sentences of a message explain a failure. */
const MAX_WHY_SENTENCES = 2;

/** Shorter sentences are too vague to explain a failure. */
const MIN_WHY_WORDS = 6;

const WELCOME = /^(?:perfect|excellent|great)[!.,]/i;

export function explanationIn(text: string): string {
  const sentences = sentencesIn(readProse(text), "text").slice(0, MAX_WHY_SENTENCES);
  if (EXPECTED.test(sentences[0] ?? "")) return sentences[0] ?? "";
  if (WELCOME.test(sentences[0] ?? "")) {
    return sentences.filter((one) => !isAnnouncement(one)).join(" ");
  }
  return sentences.find((one) =>
    one.split(" ").length >= MIN_WHY_WORDS && !one.endsWith(":") && !isAnnouncement(one) &&
    !ONLY_OUTCOME.test(one)
  ) ?? "";
}

/** Whether an explanation welcomes a failure or calls it expected, because the run was supposed to fail. */
export function saysExpected(why: string): boolean {
  return WELCOME.test(why) || EXPECTED.test(why);
}

export function saysWrong(why: string): boolean {
  return /\b(?:still|but|not|fails?|failed|failing|wrong|instead)\b|n't\b/i.test(why);
}
