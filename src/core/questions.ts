/** Recognizes questions, and offers such as "Would you like me to add a test?". */

/** Matches a question mark at the end of a text; closing marks or an emoji may follow it. */
const QUESTION_END = /\?[^\p{L}\p{N}?]*$/u;

export function isQuestion(text: string): boolean {
  return QUESTION_END.test(text);
}

/** Matches an offer, and captures the words before the action. "How should I ..." is not an offer. */
const OFFER =
  /(\b(?=[dsw])(?<!\b(?:how|what|when|where|which|who|why)(?: \w+){0,3} )(?:(?:(?:would|do) you (?:like|want) |want )me to|sh(?:all|ould) (?:I|we)) )(?:[^.!?\n]|\.(?=\S)){3,300}\?/gi;

export function offersIn(message: string): readonly string[] {
  return message.match(OFFER) ?? [];
}

export function offeredAction(question: string): string | undefined {
  const [offer] = question.matchAll(OFFER);
  return offer === undefined
    ? undefined
    : question.slice(offer.index + (offer[1] ?? "").length, -1);
}

export function isOffer(line: string): boolean {
  return line.search(OFFER) === 0;
}
