/** What the assistant proposed, where the user agrees to it. */

import { readOptions } from "./choices.ts";
import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import { readDesign } from "./design_sections.ts";
import { outline, type ProseLine, readSections, sentencesOf } from "../prose.ts";

/** How much of an offer is told, in UTF-16 code units. */
const OFFER_CHARS = 480;

/** Finds the last question in the last two lines; what follows it may say what comes next. */
export function lastQuestion(proposal: readonly ProseLine[]): string {
  const ends = proposal.filter(({ kind }) => kind !== "rule").slice(-2);
  return ends.flatMap(({ text }) => sentencesOf(text))
    .findLast((sentence) => sentence.endsWith("?")) ?? "";
}

/** How a line begins that says what the assistant would do. */
const PROPOSED =
  /^(?:(?:the |my |proposed )?(?:fix|solution|recommendation|suggestion|proposal|approach)\b.{0,20}:\s*\S|I(?:'d| would)? (?:recommend|suggest|propose|lean)\b|I think .{2,60} (?:is|are|would be) (?:better|best|cleaner|simpler)\b)/i;

/** What the assistant offers to do. */
const OFFER =
  /\b(?:would you like me to|want me to|should (?:i|we)|shall (?:i|we)|do you want me to)\s+(.{3,})\?$/i;

/** Reads what a question offers to do. */
export function offerIn(question: string): string | undefined {
  return OFFER.exec(question)?.[1];
}

/** What a message says of itself that proposes how something is to be made. */
const DESIGN_WORDS = /\b(?:design|proposal|propose|proposed|architecture|section \d)\b/i;

/**
 * Works out what a message proposed that was agreed to: the option that it recommends, what its
 * last question offers or asks to confirm, or the section that its heading offers.
 */
export function agreedTo(proposal: readonly ProseLine[]): Draft[] {
  const asked = askedBy(proposal);
  return asked.length > 0 ? asked : offeredSection(proposal);
}

/** What the last question of a message offers, or asks to confirm. */
function askedBy(proposal: readonly ProseLine[]): Draft[] {
  const recommended = recommendedOption(proposal);
  if (recommended !== undefined) return [recommended];
  const question = lastQuestion(proposal);
  if (question === "") return [];
  const offer = offerIn(question);
  if (offer !== undefined) {
    if (/\bor\b/i.test(offer)) return [];
    if (!DECISION_CUES.trivialOffer.pattern.test(offer)) return [draftOf(offer, "", "user")];
    const fix = proposal.find(({ text }) => PROPOSED.test(text));
    if (fix !== undefined) return [draftOf(fix.text, "", "user")];
    // To go on with a design is to agree to it.
    return proposal.some(({ text }) => DESIGN_WORDS.test(text)) ? readDesign(proposal, "user") : [];
  }
  return DECISION_CUES.confirmation.pattern.test(question) ? readDesign(proposal, "user") : [];
}

/** The heading of a section that offers something. */
const OFFERING =
  /\b(?:want me to|would you like me to|should I|shall I|proposed|proposal|recommend(?:ed|ation)?|suggest(?:ed|ion)?|proper fix)\b/i;

/** The last section whose heading offers what it tells. */
function offeredSection(proposal: readonly ProseLine[]): Draft[] {
  const offered = readSections(proposal).findLast(({ heading }) => OFFERING.test(heading));
  if (offered === undefined) return [];
  return [draftOf(`${offered.heading} ${outline(offered.lines, OFFER_CHARS)}`, "", "user")];
}

/** A sentence in which the assistant names the option that it would take. */
const RECOMMENDATION =
  /\b(?:recommend(?:ation)?|suggest|lean(?:ing)? towards?|vote|pick|go with|prefer)\b[^.?]{0,40}?\b(?:option |approach )?\(?([A-H]|\d)\b(?!\.\d|\w)/;

function recommendedOption(proposal: readonly ProseLine[]): Draft | undefined {
  const list = readOptions(proposal);
  if (list === undefined) return undefined;
  const told = proposal.findLast(({ text, kind }) => kind !== "item" && RECOMMENDATION.test(text));
  const key = RECOMMENDATION.exec(told?.text ?? "")?.[1]?.toLowerCase();
  const taken = list.options.find((option) => option.key === key);
  return taken && {
    decision: `${list.question} ${taken.text}`.trim(),
    rationale: told?.text ?? "",
    alternatives: list.options.filter((option) => option !== taken).map(({ text }) => text),
    kind: "user",
  };
}
