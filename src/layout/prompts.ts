/** Renders the parts with the user's requests and the current state. */

import { isQuestion } from "../core/questions.ts";
import { andMore, counted } from "../inject/bound.ts";
import { cutEnds } from "../inject/ends.ts";
import { promptText } from "./prompt_text.ts";
import { FIRST_PROMPT_CHARS, LAST_PROMPT_LIMITS } from "./earlier_prompts.ts";
import { cutStep, isLookUp } from "../inject/joined_steps.ts";
import { namesOf } from "../inject/edits.ts";
import { answerTo } from "../extract/progress.ts";
import { sentencesOf } from "../inject/prose.ts";
import {
  ASSISTANT,
  endsInQuestion,
  hasNoResult,
  isAnnouncement,
  LAST_ACTION,
  textBeforeReply,
  uncheckedIn,
} from "../inject/step_words.ts";
import {
  asksSomething,
  isCommitStep,
  isHeldByUser,
  isPushStep,
  lastAnnouncedStep,
  lastSaidLine,
  lastTurn,
  skillIn,
  turnLine,
} from "../extract/trail/last_turn.ts";
import { isGuess, isPlan } from "../extract/trail/thoughts.ts";
import { SINCE_THEN, workSince } from "../extract/trail/work_since.ts";
import { isCurrentWork } from "../extract/summed_up.ts";
import { CONCESSION, correctedIn } from "../decisions/corrections.ts";
import { APPROVED } from "../decisions/design_sections.ts";
import { BY_HAND, UNEDITED, UNRUN } from "../commands/open_plan.ts";
import { isShortReply, needsQuestion } from "../extract/requirements.ts";
import { emptyTrail } from "../extract/trail/trail.ts";
import type { WorkState } from "../core/work_state.ts";
import { doneLine, haltedLines, listLine, openSteps, withLabel } from "./lines.ts";
import { GAP_CHARS, headOf, sizeOfLines } from "../inject/fit_lines.ts";
import { type Fit, type PartOptions, wordsOnly, type Work } from "./part.ts";
import { announcedFirst, concernsList, nextSteps, plannedLine } from "./next_steps.ts";
import { beforeNext, checksAfterEdits, fixFirst } from "./next_words.ts";
import { changedSince, currentRequests, newestRequest, refusalWith } from "./requests.ts";

/** Smallest limit for the newest request, in UTF-16 code units. */
const MIN_NOW_CHARS = 600;

const QUOTE =
  /^- (?:(?:Before it|Then) the assistant said|The assistant (?:last|also) said|(?:Last finding|Last plan|A guess) in the assistant.s thoughts)\b/;

/** Limit for a line about the last turn if not everything fits. */
const SHORT_LINE_CHARS = 260;

/** Matches the quote of a message that ended a turn. */
const FINAL_QUOTE = /^- The assistant last said: /;
const FINAL_QUOTE_CHARS = 900;

/** Limit for the last action if no message describes its result. */
const UNREAD_CHARS = 700;

const VAGUE_NEXT =
  /^Next: (?:make sure that the announced|finish this request|act on the agent's report|continue with this request|do what was announced)/;

const UNDEFINED_NEXT =
  /\b(?:unless part of this request remains|(?:finish|continue with) this request)\b|\bcheck what is left(?!.*; then )/;

/** Matches a request to check begun steps that no further step follows. */
const ALL_BEGUN = /\bcheck what is left(?!.*; then ).*$/;
/** Captures the state of the work, such as "; the last check passed". */
const UNLESS_OPEN = /^Next: answer the user, unless part of this request remains(; .*)$/;

const ANNOUNCED_NEXT =
  /^Next: (?:(?:make sure that the announced step is complete|do what was announced), then )?/;

/** Matches what leads to the checks to run once the request is finished. */
const DUE_CHECKS =
  /(?<=\bfinish this request)(?:; the turn has no final answer)?; not run(?= since)/;

const UNREPLIED = /\bcontinue with this request(?=; (?:the turn|no edit))/;

const ANSWERED = /^Next: the user's turn; the assistant answered last$/;

const PLANNING =
  "In plan mode: the user has not approved a plan yet, so nothing but the plan may be edited";

/** Limit for the first message after a prompt, whose end often states what the assistant decided to do. */
const MAX_FIRST_CHARS = 600;

/** In a longer prompt, a question may be about pasted text or only a part of the request. */
const MAX_QUESTION_CHARS = 600;

/** A reply up to this length may be shown with its question. */
const REPLY_CHARS = 320;

/** Quotes may be this many times as long if everything else fits. */
const ROOMY_QUOTES = 3;

const ORDER = /\b(?:(?:can|could|would|will|shall|should) (?:you|we|i)|please|let'?s)\b/i;

export const EXPLAINING =
  /\b(?:because|root cause|turns out|here'?s why|the (?:issue|problem|cause|reason|bug)s?|(?:two|three|several) (?:\w+ )?(?:issues|problems|bugs))\b/i;

const MAX_CHOSEN = 2;
const MAX_FILES = 8;

export function nowPart(work: Work, options: PartOptions): Fit {
  const { shown, isBrief, isRoomy } = options;
  // If the context also contains the client's summary, its items are not repeated.
  const summed = isBrief ? [] : (work.progress.summed_up?.items ?? []).filter(isCurrentWork);
  for (const text of summed) shown.remember(text);
  const lines = nowLines(work, isRoomy ? ROOMY_QUOTES : 1)
    .filter((line) => summed.length === 0 || !VAGUE_NEXT.test(line));
  for (const { text } of currentRequests(work)) shown.remember(text);
  const others = [...lines, ...summed.map((text) => `In the client's summary: ${text}`)];
  return fitRequests(work, options, others);
}

export function goalPart(work: Work, options: PartOptions): Fit {
  const asked = currentRequests(work);
  const goal = work.requirements.slice(0, 1).filter((first) => !asked.includes(first));
  for (const { text } of [...asked, ...goal]) options.shown.remember(text);
  const lines = [
    ...nowLines(work),
    ...goal.map((one) => `(first) ${promptText(one, LAST_PROMPT_LIMITS.maxChars)}`),
  ];
  const whole = fitRequests(work, options, lines);
  // The reader still has the messages and the last action in its context.
  const brief = fitRequests(
    work,
    options,
    lines.filter((line) => !QUOTE.test(`- ${line}`) && !line.startsWith(LAST_ACTION)),
  );
  return (room, above) => {
    const part = whole(room, above);
    return part.omitted === 0 ? part : brief(room, above);
  };
}

/** Shows the newest requests above the lines of {@linkcode nowLines}. Shortens both if they do not fit. */
function fitRequests(work: Work, { shown }: PartOptions, lines: readonly string[]): Fit {
  const others = lines.map((line) => shown.item(line));
  const since = lines.find((line) => line.startsWith(SINCE_THEN)) ?? "";
  const isUnread = work.trail?.stopped.at(-1)?.text.startsWith(ASSISTANT) === false;
  return (room) => {
    // The next step is the last line, and matters more than the full text of the lines before it.
    const least = Math.min(MIN_NOW_CHARS, room / 2);
    const finalChars = Math.min(FINAL_QUOTE_CHARS, Math.max(SHORT_LINE_CHARS, room / 4));
    const shortest = requestLines(work, least, since).map((line) => shown.item(line));
    const isTooLong = sizeOfLines([...shortest, ...others]) > room;
    const kept = isTooLong
      ? others.map((line) =>
        QUOTE.test(line)
          ? cutEnds(line, FINAL_QUOTE.test(line) ? finalChars : SHORT_LINE_CHARS, 1 / 3)
          : cutStep(
            line,
            isUnread && line.startsWith(`- ${LAST_ACTION}`) ? UNREAD_CHARS : SHORT_LINE_CHARS,
          )
      )
      : others;
    const maxChars = Math.max(least, room - sizeOfLines(kept) - GAP_CHARS);
    const asked = requestLines(work, maxChars, since).map((line) => shown.item(line));
    return headOf([...asked, ...kept], room);
  };
}

/** `since` is the line about the work since the newest message; files in that line are left out. */
function requestLines(work: Work, maxChars: number, since = ""): string[] {
  const [request, remark] = currentRequests(work);
  const refused = work.trail?.refused;
  if (request === undefined) return [];
  const { occasion, reply } = refusalWith(remark ?? request, refused);
  if (remark === undefined) return [promptText(request, maxChars) + occasion];
  const changed = changedSince(work.changes, request.from.line ?? Infinity);
  const files = namesOf(changed, work.changes.map(({ file }) => file))
    .filter((name) => !since.includes(` ${name}`));
  const edited = files.length === 0
    ? []
    : [`Edited for this request so far: ${andMore(files.slice(-MAX_FILES), files.length)}`];
  const said = `Then the user said: ${promptText(remark, maxChars)}${occasion}${reply}`;
  return [promptText(request, Math.min(maxChars, FIRST_PROMPT_CHARS)), said, ...edited];
}

/** Describes the work on the newest request, one fact per line. `factor` multiplies the limits of quotes. */
export function nowLines(work: WorkState, factor = 1): string[] {
  const { requirements, next_steps: steps, trail = emptyTrail(), progress, decisions } = work;
  const { changes, commits } = work;
  const { commands, answered, intention = "" } = trail;
  const asked = newestRequest(requirements);
  const stopped = trail.stopped.map(({ text }) => text);
  const { at, reply, before, callsSince, action } = lastTurn(stopped);
  const isAsked = asked !== undefined && wordsOnly(asked.text).startsWith(wordsOnly(reply));
  const words = isAsked ? asked.text : reply;
  // The message before the reply may be missing from the kept steps; `progress` may still have it.
  const answeredTo = answerTo(progress, reply) ?? before;
  const isReply = reply !== "" && words.length <= REPLY_CHARS && !words.endsWith("…") &&
    answeredTo !== undefined && (needsQuestion(words) || isQuestion(before ?? answeredTo));
  const askedAt = asked?.from.line ?? Infinity;
  const promptedAt = trail.stopped[at]?.from.line ?? 0;
  // After a newer message, the work on an earlier choice may be done.
  const decided = decisions.filter(({ from: { line } }) =>
    (line ?? 0) > Math.max(askedAt, promptedAt)
  );
  const answers = decided.filter(({ kind }) => kind === "answer");
  const [chosen] = answers;
  const approved = decided.find(({ decision }) => decision.startsWith(APPROVED));
  const startAt = Math.max(promptedAt, (chosen?.from.line ?? -1) + 1);
  // A concession refutes earlier messages. The first message after a question answers it; after a correction,
  // it often explains the approach. The last message is quoted anyway.
  const said = stopped.slice(at + 1).filter((step) => step.startsWith(ASSISTANT))
    .map((step) => step.slice(ASSISTANT.length));
  const others = at < 0 ? [] : said.slice(0, -1);
  const [firstSaid = ""] = others;
  const asksQuestion = words.length <= MAX_QUESTION_CHARS && asksSomething(words);
  const isCorrected = correctedIn(stopped).has(
    stopped.findIndex((step, index) => index > at && step.startsWith(ASSISTANT)),
  );
  const answer = others.find((one) => CONCESSION.test(one)) ??
    ((asksQuestion || EXPLAINING.test(firstSaid)) && !isCorrected ? firstSaid : "");
  const since = Math.max(askedAt, chosen?.from.line ?? 0, isAsked ? 0 : promptedAt);
  const open = openSteps(steps);
  const inProgress = open.filter(({ status }) => status === "in_progress");
  const current = inProgress.length > 0 ? inProgress : open.slice(0, 1);
  const [next] = current;
  // A list that was completed before the newest request is unrelated to that request.
  const listed = asked?.from.line ?? 0;
  const omitsDone = next !== undefined ||
    steps.every(({ from: { line } }) => (line ?? listed) < listed);
  const unchecked = uncheckedIn(commands, action);
  const first = beforeNext(action, trail.running ?? []);
  const requests = currentRequests(work);
  const hasCommitted = stopped.slice(at + 1).some(isCommitStep) ||
    commits.some(({ from }) => (from.line ?? Infinity) > since);
  // Without a note, edits for an earlier request would seem to belong to this request.
  const isBegun = changes.length === 0 || /\?\W*$/.test(words) ||
    changedSince(changes, requests[0]?.from.line ?? askedAt).length > 0 ||
    hasCommitted || stopped.slice(at + 1).some(isPushStep);
  const isAnswered = answered !== false;
  const isListed = steps.some(({ from }) => (from.line ?? 0) > promptedAt);
  // Work after the list was completed may be for something that the list does not contain.
  const acted = trail.stopped.findLast(({ text }) =>
    !text.startsWith(ASSISTANT) && !isLookUp(text)
  );
  const isListDone = isListed && open.length === 0 &&
    steps.some(({ from: { line } }) => (line ?? 0) > (acted?.from.line ?? 0));
  const turn = turnLine(stopped, at, { unchecked, isAnswered, isBegun, isListDone })
    .replace(/^Next: (?=make sure|finish|continue with this request)/, () => `Next: ${first}`)
    .replace(
      /^Next: (?=rerun what failed)/,
      () => hasNoResult(action) ? `Next: ${first}` : "Next: ",
    );
  const isNew = at >= 0 && at === stopped.length - 1 && !isShortReply(reply) && !isListed;
  // A question does not continue the work on an older list.
  const isOrder = ORDER.test(words);
  const isAside = !isListed && words.endsWith("?") && !isOrder;
  const isUsersTurn = isAnswered &&
    (endsInQuestion(stopped) ||
      (answered === true && lastAnnouncedStep(stopped, at) === ""));
  // No step of an older list was begun, and the newest request asks for something else.
  const requestedAt = requests[0]?.from.line ?? 0;
  const isOld = inProgress.length === 0 &&
    steps.every(({ from: { line } }) => line !== null && line < requestedAt) &&
    requests.every(({ text }) => !isShortReply(text) && !concernsList(text, open));
  const isUnrelated = isNew || isAside || isOld || isUsersTurn || isHeldByUser(stopped);
  const planned = next === undefined || isUnrelated
    ? turn
    : `Next: ${first}${announcedFirst(trail, at, open)}${nextSteps(current, open)}`
      .replace(ALL_BEGUN, (words) => {
        const [, state] = UNLESS_OPEN.exec(turn) ?? [];
        return state === undefined ? words : `${words}; if nothing is, answer the user${state}`;
      });
  const isNamed = planned === turn && intention !== "" && VAGUE_NEXT.test(turn);
  const { thought: found = "" } = trail;
  const thought = isNamed || found.includes(intention) ? found : `${found} ${intention}`.trim();
  const hasPlannedSteps = trail.thought_steps !== undefined && !isUsersTurn;
  // The plan follows the last message, so it replaces the step that this message announces.
  const isPlanned = !isNamed && planned === turn && VAGUE_NEXT.test(turn) &&
    (isPlan(thought) || trail.thought_steps !== undefined);
  const meant = isNamed
    ? `do what the assistant was about to do ("${intention}"), then `
    : isPlanned
    ? "carry out the plan in the assistant's thoughts, then "
    : "";
  const response = isOrder
    ? ""
    : words.endsWith("?")
    ? said.some(isSubstantial) ? "" : "answer this question"
    : said.some((one) => CONCESSION.test(one))
    ? "act on this remark, which the assistant accepted"
    : "";
  const nextLine = planned.replace(
    isPlanned ? ANNOUNCED_NEXT : /^Next: /,
    () => `Next: ${fixFirst(trail.stopped, decisions)}${meant}`,
  );
  const uncommitted = changedSince(
    changes,
    Math.max(0, ...commits.map(({ from }) => from.line ?? 0)),
  );
  return [
    isReply
      ? `${isAsked ? "Before it" : "Then"} the assistant said${
        callsSince === 0 ? "" : ` (${counted(callsSince, "call")} followed)`
      }: ${textBeforeReply(answeredTo, before ?? answeredTo, needsQuestion(words) ? factor : 1)}`
      : "",
    (isReply && !isAsked) || (asked === undefined && reply !== "")
      ? `Then the user said: ${reply}`
      : "",
    isSubstantial(answer)
      ? `The assistant also said: ${cutEnds(answer, MAX_FIRST_CHARS * factor, 1 / 2)}`
      : "",
    ...answers.slice(0, MAX_CHOSEN).reverse()
      .map(({ decision }) => withLabel("Then the user chose", decision)),
    withLabel("Then the user approved the plan", approved?.decision.slice(APPROVED.length) ?? ""),
    workSince(
      trail.stopped.slice(at + 1)
        // A call from before the prompt can return its result after the prompt.
        .filter(({ from: { line } }) => line === null || line >= startAt)
        .map(({ text }) => text),
      {
        changed: changedSince(changes, since),
        uncommitted,
        known: [...changes.map(({ file }) => file), ...trail.read],
        commands,
      },
    ),
    withLabel("Skill in use", skillIn(stopped.slice(at + 1))),
    action === "" ? "" : LAST_ACTION + action,
    lastSaidLine(stopped, at, factor),
    thought === "" ? "" : `${thoughtLabel(thought)} in the assistant's thoughts: ${thought}`,
    !hasPlannedSteps
      ? ""
      : `Planned in the assistant's thoughts, nothing edited since: ${trail.thought_steps}`,
    omitsDone ? "" : doneLine(work),
    ...haltedLines(trail),
    listLine("Started in the background, not known to have ended", trail.running ?? [], "; "),
    trail.planning === true ? PLANNING : "",
    trail.spec === undefined || (planned === turn && !(isUsersTurn && inProgress.length > 0))
      ? ""
      : `The plan for ${planned === turn ? "the step in progress" : "this step"}: ${trail.spec}`,
    UNDEFINED_NEXT.test(nextLine)
      ? (nextLine.replace(UNREPLIED, (words) => response || words) +
        checksAfterEdits(commands, action, changedSince(changes, since)))
        .replace(DUE_CHECKS, ", then run what was not run")
      : nextLine.replace(ANSWERED, (words) =>
        trail.branch !== "" && (trail.uncommitted ?? 0) > 0 &&
          changedSince(changes, since).some((file) => uncommitted.includes(file))
          ? `${words}; no commit of its edits was seen`
          : words),
    unchecked,
    plannedLine(commands, UNEDITED),
    plannedLine(commands, UNRUN),
    plannedLine(commands, BY_HAND),
  ].filter((line) => line !== "");
}

function thoughtLabel(thought: string): string {
  if (isGuess(thought)) return "A guess";
  return isPlan(thought) ? "Last plan" : "Last finding";
}

function isSubstantial(said: string): boolean {
  return sentencesOf(said).some((one) =>
    !isAnnouncement(one) && !one.endsWith(":") && !/^I(?:'m| am) \w+ing\b/.test(one) &&
    one.split(" ").length > 3
  );
}
