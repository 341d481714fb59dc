/** Recognizes questions, and offers such as "Would you like me to add a test?". */

/** Matches the end of a question, before closing marks or an emoji. */
const QUESTION_END = /\?[^\p{L}\p{N}?]*$/u;

/** Whether a text ends in a question. */
export function isQuestion(text: string): boolean {
  return QUESTION_END.test(text);
}

/** Matches an offer, and captures the words before the action. "How should I ..." offers nothing. */
const OFFER =
  /(\b(?=[dsw])(?<!\b(?:how|what|when|where|which|who|why)(?: \w+){0,3} )(?:(?:(?:would|do) you (?:like|want) |want )me to|sh(?:all|ould) (?:I|we)) )(?:[^.!?\n]|\.(?=\S)){3,300}\?/gi;

/** Returns the offers in a message. */
export function offersIn(message: string): readonly string[] {
  return message.match(OFFER) ?? [];
}

/** Returns the action that a question offers; `undefined` if the question is not an offer. */
export function offeredAction(question: string): string | undefined {
  const [offer] = question.matchAll(OFFER);
  return offer === undefined
    ? undefined
    : question.slice(offer.index + (offer[1] ?? "").length, -1);
}

/** Whether a line begins with an offer. */
export function isOffer(line: string): boolean {
  return line.search(OFFER) === 0;
}
