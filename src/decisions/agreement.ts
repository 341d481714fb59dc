/** Finds the assistant's proposals that the user accepts. */

import { offeredAction } from "../core/questions.ts";
import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import { readDesign } from "./design_sections.ts";
import { reasonIn } from "./fixes.ts";
import { type ProseLine, sentencesIn, withItems } from "../inject/prose.ts";

const MAX_ITEMS_CHARS = 300;

export const SAID_BEFORE = "the assistant had said: ";

/** Returns the last question in the last two lines of a message; empty if there is none. */
export function lastQuestion(proposal: readonly ProseLine[]): string {
  const lines = proposal.filter(({ kind }) => kind !== "rule");
  const isQuestion = (sentence: string): boolean => sentence.endsWith("?");
  const ends = sentencesIn(lines.slice(-2));
  const question = ends.findLast(isQuestion) ?? "";
  if (!/^or\b/i.test(question)) return question;
  // Joins a question that starts with "or" to the question before it, because a "yes" does not accept
  // the second question alone.
  const all = sentencesIn(lines.slice(-3));
  const before = all[all.lastIndexOf(question) - 1] ?? "";
  return isQuestion(before) ? `${before} ${question}` : question;
}

const ADVICE =
  /^I(?:'d| would)? (?:recommend|suggest|propose|lean)\b|^I(?:'d| would) (?:go with|use|pick|choose)\b/i;

/** Matches a question that only asks for an opinion about the words before it. */
const TAG = /(?:\s*[,—–-]+\s*|^)(?:thoughts|ok(?:ay)?|sounds? good|agreed?|what do you think)\?$/i;

/** Matches the start of a proposal without words such as "I suggest", as in "The fix: ...". */
const PROPOSAL =
  /^(?:(?:the |my |proposed )?(?:fix|solution|recommendation|suggestion|proposal|approach)\b.{0,20}:\s*\S|I think .{2,60} (?:is|are|would be) (?:better|best|cleaner|simpler)\b)/i;

/**
 * Returns the proposals that the message's last question offers or asks the user to confirm. Without a
 * question, returns the message's advice.
 */
export function agreementsIn(proposal: readonly ProseLine[], reply: string): Draft[] {
  const question = lastQuestion(proposal);
  if (question === "") {
    const advice = proposal.find(({ kind, text }) => kind === "text" && ADVICE.test(text));
    return advice === undefined ? [] : [agreementOn(advice.text, reply)];
  }
  const offer = offeredAction(question);
  if (offer !== undefined) {
    if (/\bor\b/i.test(offer)) return [];
    if (!DECISION_CUES.trivialOffer.test(offer)) {
      const said = reasonIn(proposal.filter(({ text }) => !text.endsWith("?")));
      const reason = said === "" ? "" : SAID_BEFORE + said;
      return [{ ...agreementOn(offer, reply), rationale: reason }];
    }
    const at = proposal.findIndex(({ text }) => ADVICE.test(text) || PROPOSAL.test(text));
    return at < 0 ? [] : [agreementOn(statedAt(proposal, at), reply)];
  }
  const stated = question.replace(TAG, "");
  if (ADVICE.test(stated)) return [agreementOn(stated, reply)];
  return DECISION_CUES.confirmation.test(question) ? readDesign(proposal, "user") : [];
}

export function statedAt(lines: readonly ProseLine[], at: number): string {
  return withItems(lines[at]?.text ?? "", lines.slice(at + 1), MAX_ITEMS_CHARS);
}

const MODIFIER =
  /\b(?:first|only|but|just|not|instead|then|without|except|don'?t|also|before|after)\b/i;

function agreementOn(words: string, reply: string): Draft {
  const own = MODIFIER.test(reply) ? ` ("${reply.trim().replaceAll(/\s+/g, " ")}")` : "";
  return draftOf(`Agreed: ${words}${own}`, "", "user");
}
