/** Finds decisions in the user's messages: a chosen option, an accepted proposal or a statement. */

import { isOffer, isQuestion } from "../core/questions.ts";
import { agreementsIn, lastQuestion, statedAt } from "./agreement.ts";
import {
  answersByKey,
  type Choice,
  type Option,
  type OptionList,
  readChoice,
  readOptions,
  startsWithKey,
  textsOf,
} from "./choices.ts";
import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf, readStatements } from "./draft.ts";
import { readPlan } from "./design_sections.ts";
import { planOf, planToImplement } from "./dialogs.ts";
import { type ProseLine, sentencesIn, sentencesOf } from "../inject/prose.ts";
import { isAnnouncement } from "../inject/step_words.ts";

const REPLY_CHARS = 360;

/** In longer answers, a first word such as "yes" rarely states agreement. */
const MAX_AGREEMENT_CHARS = 240;
const MAX_ANSWER_CHARS = 700;

/** Longer messages are usually pasted, so their statements are not attributed to the user. */
const MAX_OWN_CHARS = 1_800;

/** If the assistant accepts a longer message, its reply is used as the decision. */
const MAX_PLAIN_CHARS = 240;
const MAX_KEPT_CHARS = 400;
const MAX_ASKING_LINES = 6;

export const POSTPONED_LEAD = "(postponed) ";

export interface Exchange {
  /** The assistant's last message before the user's. */
  readonly proposal: readonly ProseLine[];
  readonly text: string;
  readonly lines: readonly ProseLine[];
  /** The assistant's first message after the user's; empty if there is none. */
  readonly reply: readonly ProseLine[];
}

export function decideExchange(exchange: Exchange): Draft[] {
  const { text, lines, proposal, reply } = exchange;
  const plan = planToImplement(text);
  if (plan !== "") return readPlan(planOf(plan));
  const options = readOptions(proposal, text);
  const isAsked = options !== undefined && !LOOK_LEAD.test(text.trim()) &&
    isOffered(options, proposal, text);
  const list = isAsked || text.trim().length <= 3 ? options : undefined;
  const chosen = list === undefined ? [] : chosenOptions(exchange, list);
  if (chosen.length > 0) {
    // A long answer is cut, so its statements are kept separately.
    return text.length <= MAX_KEPT_CHARS ? chosen : [...readStatements(lines, "user"), ...chosen];
  }
  if (text.length <= MAX_AGREEMENT_CHARS && DECISION_CUES.agreement.test(text.trim())) {
    const agreed = agreementsIn(proposal, text);
    if (agreed.length > 0) return [...agreed, ...readStatements(lines, "user")];
  }
  const stated = text.length > MAX_OWN_CHARS ? [] : readStatements(lines, "user");
  const isWish = stated.length > 0 || WISH.test(text) || lastQuestion(proposal) !== "";
  const echo = stated.length > 0 && lastQuestion(proposal) !== "" ? echoIn(reply) : "";
  const taken = isWish && text.length <= MAX_ANSWER_CHARS
    ? withoutCourtesy(acknowledgementIn(reply)) || echo
    : "";
  if (taken === "") return stated;
  const words = stated.map(({ decision }) => decision).join(" ") || text.trim();
  const isAsking = isQuestion(words);
  const isPlain = isAsking && !CHANGE_REQUEST.test(words);
  if (stated.length === 0 && (isPlain || LOOK_REQUEST.test(words))) return [];
  if (words.length <= MAX_PLAIN_CHARS && !isAsking) {
    const isReason = taken === echo || REASON.test(taken) || APPRAISAL.test(taken) ||
      REJECTION.test(words);
    if (!isReason && stated.length > 0) return stated;
    return [draftOf(words, isReason ? labelReply(taken) : "", "user")];
  }
  return isAnnouncement(taken) || /\boptions:/i.test(taken)
    ? []
    : [draftOf(taken, `the user had said: ${words}`, "assistant")];
}

/** Matches a sentence that says what an answer means, such as "Good - the newest session only.". */
const ECHO =
  /^(?:good|great|perfect|ok(?:ay)?|got it|understood|all ?right|sure)\s*[—–:,-]+\s+(?!(?:let me|now|I)\b)\S+ \S+ .{0,150}$/i;

function echoIn([first]: readonly ProseLine[]): string {
  const sentence = first?.kind === "text" ? sentencesOf(first.text)[0] ?? "" : "";
  return ECHO.test(sentence) ? sentence : "";
}

/** Matches a message that rejects a proposal. The assistant's reply then counts as the reason. */
const REJECTION = /^(?:no|nope|nah|instead|scrap|forget)\b/i;

/** Matches a reply that explains why a suggestion is good, as in "Good point: one lock is enough". */
const APPRAISAL =
  /^(?:good|great|excellent|smart|nice|fair) \w+\s*[—–:,-]+\s*(?!(?:let me|I'll|now)\b)(?:\S+ ){4}/i;

/** Matches a first sentence that only agrees, such as "You're right.". */
const COURTESY =
  /^(?:you'?re (?:\w+ )?right|(?:good|great|excellent|fair) \w+|that'?s an? \w+ \w+)\b[^.!?]{0,80}[.!]\s+(?=\S{2,} \S)/i;

function withoutCourtesy(words: string): string {
  const first = COURTESY.exec(words)?.[0] ?? "";
  return WISH.test(first) ? words : words.slice(first.length);
}

/** Matches a request to look at something; the reply reports findings, not a decision. */
const LOOK_REQUEST =
  /\b(?:check|look|see|try|tell|know|explain|find out|verify|confirm)\b[^.!]*\?$/i;

/** Matches a question that asks for a change rather than for an answer, such as "could we drop it?". */
const CHANGE_REQUEST =
  /\b(?:can|could|should|would|shall|might) (?:we|you|it|this|that|they|i)\b|\b(?:shouldn'?t|couldn'?t|wouldn'?t|why not|how about|what about|what if)\b|\b(?:right|ok|okay)\?$/i;

/** Matches the start of an answer that asks to look at some items, which is not a decision yet. */
const LOOK_LEAD =
  /^(?:(?:ok(?:ay)?|yes|yeah|please)[,.!]?\s+)*(?:let'?s\s+|(?:can|could) you\s+)?(?:investigate|look (?:at|into)|check|explain|dig into)\b/i;

/** Matches words that introduce a remark, or a change to the option, rather than a reason. */
const REMARK = /\b(?:fyi|btw|by the way|but|(?:just )?make sure|ensure)\b/i;

/** Matches a longer answer that adds something to the option, such as "B, and please rename it". */
const AMENDMENT = /\b(?:please|also|plus|instead|except|rename|call (?:it|them))\b/i;

const REASON =
  /\b(?:because|since|so that|in order to|otherwise|to (?:avoid|keep|prevent|match|ensure))\b/i;

const WISH =
  /\b(?:can|could|should|would|let'?s|want|needs?|prefer|rather|instead|use|put|make|keep|only|don'?t|feel|thought|think|like)\b/i;

/** Matches a line that introduces options, such as "Which do you prefer:". */
const OPTIONS_INTRODUCTION = /\b(?:you|should|would|which|options?|prefer|choose)\b.*:$/i;

function isOffered(list: OptionList, proposal: readonly ProseLine[], answer: string): boolean {
  const { question } = list;
  return question.endsWith("?") || (OPTIONS_INTRODUCTION.test(question) && startsWithKey(answer)) ||
    // With several numbered answers, the list is used only if one of its options is a question.
    ((answersByKey(answer, list).length < 2 || list.options.some(isAsking)) &&
      sentencesIn(proposal.slice(-MAX_ASKING_LINES)).some((sentence) => sentence.endsWith("?")));
}

function isAsking({ text }: Option): boolean {
  return /[?:]$/.test(text);
}

function chosenOptions({ text, proposal, reply }: Exchange, list: OptionList): Draft[] {
  // If the options are questions, the answers are the decisions.
  if (list.options.filter(isAsking).length > 1) {
    const answered = answersByKey(text, list)
      .map(({ option, words }) => draftOf(`${option.text} ${words}`, "", "user"));
    if (answered.length > 0) return answered;
  }
  const choice = readChoice(text, list);
  if (choice === undefined || NEXT_TASK.test(list.question)) return [];
  const words = textsOf(choice.taken).map((text) => text.replace(TRADE_OFFS, "")).join("; ");
  // If the user picks "Something else" and says more, the answer itself is the decision.
  const isOther = choice.taken.every((option) => OTHER_OPTION.test(option.text)) &&
    statesReason(text);
  const isPostponed = POSTPONEMENT.test(text);
  const own = text.trim().length <= 3 ? "" : choice.words.trim();
  const taken = acknowledgementIn(reply);
  // A request or a remark qualifies the choice, but is not a reason for it.
  const isAmended = AMENDMENT.test(own) && statesReason(own);
  const isRemark = own.includes("?") || ((REMARK.test(own) || isAmended) && !REASON.test(own));
  const advice = REASON.test(own + taken) ? "" : adviceFor(choice.taken, proposal);
  const reasons = [isRemark || !statesReason(own) ? "" : own, labelReply(taken), advice]
    .filter((one) => one !== "");
  const keepsQuestion = /[?:]$/.test(list.question) && !OPTIONS_LEAD.test(list.question) &&
    !isOffer(list.question);
  return [{
    decision: isOther
      ? text.trim()
      : `${keepsQuestion ? list.question.replace(QUESTION_LABEL, "") : ""} ${words}`.trim() +
        (isRemark ? ` ("${own}")` : ""),
    rationale: isOther ? "" : reasons.join(" — "),
    // A request to work on some items of a list does not reject the others.
    alternatives: WORK_REQUEST.test(own) || SEVERAL.test(list.question + lastQuestion(proposal))
      ? []
      : choice.others.map(({ text }) => (isPostponed ? POSTPONED_LEAD : "") + text),
    kind: "user",
  }];
}

/** Matches the pros and cons of an option in a table. */
const TRADE_OFFS = /; (?:pros?|cons?|trade-?offs?|risks?|drawbacks?|downsides?): .*$/is;

const CHOOSING_WORDS =
  /\b(?:yes|yeah|yep|ok(?:ay)?|sure|please|let'?s|lets|i|we|do|try|use|go|pick|choose|take|prefer|like|want|think|would|should|with|for|the|option|choice|approach|number|and|both|\d{1,2}|[a-h])\b/gi;

/** An answer states a reason only if it contains at least this many other words. */
const MIN_REASON_WORDS = 3;

function statesReason(own: string): boolean {
  const words = own.replaceAll(CHOOSING_WORDS, " ").match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return words.length >= MIN_REASON_WORDS || REASON.test(own);
}

const OTHER_OPTION = /^(?:something|anything) (?:else|different)\b|^other\b/i;

const WORK_REQUEST =
  /^(?:(?:ok(?:ay)?|yes|yeah|please)[,.!]?\s+)*(?:let'?s\s+)?(?:fix|tackle|address|implement|start|work on)\b/i;

const SEVERAL = /\b(?:any|some|all) of (?:these|them|those)\b/i;

const POSTPONEMENT =
  /\b(?:(?<!the )first(?=\s*(?:$|[,.;!?)]|(?:and|then)\b))|for now|start with|then (?:we|you|the other)|(?:rest|others?|ones?|options?|them|those|these|\d{1,2}|[B-H]) (?:\w+ ){0,3}later(?! on\b))\b/i;

/** Matches a line above the options that is not part of the decision. */
const OPTIONS_LEAD =
  /^(?:(?:would|do) you (?:like|want)(?: me)?(?: to)?:?$|you'?re (?:absolutely )?right\b|(?:my )?recommendations?\b|(?:the )?options?:$)/i;

/** Matches a question about the next task, as in "What would you like to brainstorm today?". */
const NEXT_TASK =
  /^what (?:would you like|do you want) (?:me )?to \w+(?: on)?(?: (?:today|next|now|first))?\?$/i;

const QUESTION_LABEL = /^(?:\w+ )?question(?: \d+)?:\s+/i;

const ADVICE =
  /\b(?:recommend|suggest|prefer|lean(?:ing)?|(?:seems?|is|looks) (?:the )?(?:best|cleanest|simplest|better|right|safest))\b/i;

/** Matches the start of advice that only repeats the option, as in "I recommend option B because:". */
const ADVICE_LEAD =
  /^I(?:'d| would)? (?:recommend|suggest|prefer|lean towards?|go with) (?:the )?(?:option|approach|choice) #?\w{1,2},? (?:because|since):? /i;

function adviceFor(taken: Choice["taken"], proposal: readonly ProseLine[]): string {
  const [only, another] = taken;
  if (only === undefined || another !== undefined) return "";
  const named = new RegExp(`\\b(?:option|approach|choice)\\s+#?${only.key}\\b`, "i");
  const at = proposal.findIndex(({ kind, text }) =>
    kind === "text" && ADVICE.test(text) && named.test(text)
  );
  if (at < 0) return "";
  const advice = sentencesOf(statedAt(proposal, at)).filter((one) => !one.endsWith("?"));
  const words = advice.join(" ");
  const reason = words.replace(ADVICE_LEAD, "");
  if (words === "") return "";
  return `the assistant advised${reason === words ? "" : " it because"}: ${reason}`;
}

/** Returns the start of a reply that acknowledges the user's message, up to a question, heading or rule. */
function acknowledgementIn(reply: readonly ProseLine[]): string {
  const first = reply[0];
  if (first === undefined || first.kind === "heading" || first.kind === "item") return "";
  if (!DECISION_CUES.acknowledgement.test(first.text)) return "";
  let text = "";
  for (const line of reply) {
    const isEnd = line.kind === "heading" || line.kind === "rule" || line.text.endsWith("?");
    if (isEnd || text.length >= REPLY_CHARS) break;
    const own = line.kind === "text" ? withoutNarration(line.text) : line.text;
    if (own !== "") text += (text === "" ? "" : /[:.!;]$/.test(text) ? " " : "; ") + own;
  }
  const rest = text.replace(/^[^.!,–—-]{0,30}(?:[.!,–—]|\s-)\s*/, "");
  return rest.split(" ").length < 4 ? "" : text;
}

/** Labels the assistant's reply, because it is not the user's own reason. */
function labelReply(words: string): string {
  return words === "" ? "" : `the assistant replied: ${words}`;
}

function withoutNarration(text: string): string {
  return sentencesOf(text).filter((one) => !DECISION_CUES.narration.test(one)).join(" ");
}
