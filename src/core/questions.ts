/** Recognizes questions, and offers such as "Would you like me to add a test?". */

/** Matches the end of a question, before closing marks or an emoji. */
const QUESTION_END = /\?[^\p{L}\p{N}?]*$/u;

/** Whether a text ends in a question. */
export function isQuestion(text: string): boolean {
  return QUESTION_END.test(text);
}

/** Matches the words before the offered action, but not "How should I ...". */
const LEAD = String
  .raw`\b(?=[dsw])(?<!\b(?:how|what|when|where|which|who|why)(?: \w+){0,3} )(?:(?:(?:would|do) you (?:like|want) |want )me to|sh(?:all|ould) (?:I|we))\b`;

const OFFER = new RegExp(String.raw`${LEAD} (?:[^.!?\n]|\.(?=\S)){3,300}\?`, "gi");
const WHOLE_OFFER = new RegExp(String.raw`^${LEAD}[^?]*\?(?: .*)?$`, "i");
const FINAL_OFFER = new RegExp(String.raw`${LEAD}\s+(.{3,})\?$`, "i");

/** Returns the offers in a message. */
export function offersIn(message: string): readonly string[] {
  return message.match(OFFER) ?? [];
}

/** Returns the action that a question offers; `undefined` if the question is not an offer. */
export function offeredAction(question: string): string | undefined {
  return FINAL_OFFER.exec(question)?.[1];
}

/** Whether a line begins with an offer. */
export function isOffer(line: string): boolean {
  return WHOLE_OFFER.test(line);
}
