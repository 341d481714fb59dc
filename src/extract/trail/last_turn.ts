/** Describes the newest turn of a session: the work done, the last message, and whose turn it is. */

import { counted } from "../../inject/bound.ts";
import { cutEnds } from "../../inject/ends.ts";
import { sentencesOf } from "../../inject/prose.ts";
import { hasCheck, isApiWrite, runsInBackground } from "../../core/shell_commands.ts";
import { writtenBy } from "../../core/shell_files.ts";
import { madeCommit, madePush } from "../../changes/commits.ts";
import {
  API_ERROR,
  ASSISTANT,
  checkKindsIn,
  COMMAND,
  endsInQuestion,
  hasNoResult,
  INTERRUPTED,
  isAnnouncement,
  isWithoutResult,
  lateOffer,
  LIST_UPDATE,
  NAMES_SEVERAL,
  NO_RESULT,
  OUTCOME,
  USER,
} from "../../inject/step_words.ts";
import { didNotRun, NOT_STARTED, STOPPED_BY_USER } from "../../inject/telling_lines.ts";
import { cutStep, EDIT, isLookUp, lookUpsOf } from "../../inject/joined_steps.ts";
import { CLAIMS_PASS } from "../learning_patterns.ts";
import { ONLY_LOOKS } from "./thoughts.ts";

const MAX_ACTION_CHARS = 480;
const MAX_LOOK_UP_CHARS = 120;
const MAX_CALL_CHARS = 240;

const MAX_REPORT_CHARS = 1_000;
const MAX_ANNOUNCED_CHARS = 300;

/** Matches an announcement after a list, whose last item ends without a full stop. */
const ANNOUNCED_AFTER_LIST =
  /\s((?:Now,? |So,? )?(?:[Ll]et me(?! know)|I'll|I'm going to|I need to)\b[^.!?]{3,}[.:!]?)$/;

/** Matches a subagent's report, whose findings often are the next tasks. */
const REPORT = new RegExp(`^(?:Task|Agent) .*?${OUTCOME}`);

const NO_REPORT = new RegExp(`${OUTCOME}(?:started|failed|not run)\\b`);

const STARTS_AGENT =
  /\b(?:dispatch\w*|launch\w*|start|spawn|request)\b.*\b(?:(?:sub)?agents?|\w*reviewers?|reviews?|implementers?)\b/i;

export const LAST_MESSAGE_LEAD = "The assistant last said";

const MAX_SAID_CHARS = 420;
const MAX_FINAL_CHARS = 1_300;

/** If a message adds at most this many characters to its announcement, only the announcement is quoted. */
const MAX_OTHER_CHARS = 40;

/** After more actions than this, an announced step counts as done. */
const MAX_ACTIONS_SINCE = 3;

/** Like {@linkcode MAX_ACTIONS_SINCE}, if the step has many parts and only edits followed. */
const MAX_EDITS_SINCE = 12;

const MANY_PARTS = /\b(?:all|each|every|(?:other|remaining) \w+)\b/i;

/** Captures the numbered list of planned changes at the end of a message, with the words before it. */
const LISTED_STEPS =
  /(?:^|[.!?] )([^.!?]*\b(?:I'll|I will|I'm going to|[Ll]et me|needs?|needed|(?:fix|plan|resolution) is)\b[^.?!:]{0,120}: 1[.)] .* 2[.)] .*)$/;

/** A shorter announcement needs the sentence before it ("Let me fix this."). */
const MIN_ANNOUNCED_WORDS = 5;

const CHECK_RUN =
  /\b(?:re-?)?run\b(?!.*\b(?:then|(?<!pre-)commit|push|(?<!the )fix|update|address)\b)/i;

/** Matches an announcement that one edit can carry out, such as "Let me add the missing import.". */
const ONE_ADDITION = /^(?!.*(?:,|\b(?:and|then)\b)).*\b(?:add|insert|append|remove|delete)\b/i;

const VERIFICATION = /\b(?:verify|confirm|double-check)\b/i;

function announcedIn(step: string): string {
  const said = step.startsWith(ASSISTANT) ? sentencesOf(step.slice(ASSISTANT.length)) : [];
  const last = said.at(-1) ?? "";
  if (LIST_UPDATE.test(last)) return "";
  // A message that ends in a colon announces the work that follows it.
  if (!isAnnouncement(last) && !last.endsWith(":")) {
    return ANNOUNCED_AFTER_LIST.exec(last)?.[1] ?? "";
  }
  const isShort = last.split(" ").length < MIN_ANNOUNCED_WORDS;
  const isFirstStep = isAnnouncement(said.at(-2) ?? "");
  return said.slice(isShort || isFirstStep ? -2 : -1).join(" ").replace(/:$/, ".");
}

interface Turn {
  /** Index of the newest prompt among the steps; -1 if there is none. */
  readonly at: number;
  readonly reply: string;
  /** The assistant's last message in the turn before the prompt. */
  readonly before: string | undefined;
  /** Number of calls between that message and the prompt. */
  readonly callsSince: number;
  readonly action: string;
}

export function lastTurn(stopped: readonly string[]): Turn {
  const isPrompt = (text: string): boolean => text.startsWith(USER);
  const isSaid = (text: string): boolean => text.startsWith(ASSISTANT);
  const at = stopped.findLastIndex(isPrompt);
  const earlier = stopped.slice(0, Math.max(at, 0));
  const turn = earlier.slice(earlier.findLastIndex(isPrompt) + 1);
  const said = turn.findLastIndex(isSaid);
  return {
    at,
    reply: stopped[at]?.slice(USER.length) ?? "",
    before: turn[said],
    callsSince: said < 0 ? 0 : lookUpsOf(turn.slice(said + 1).filter(isCall)),
    action: lastActionIn(
      // The client drops the other calls of a message if one fails.
      stopped.slice(at + 1).filter((text) =>
        !isSaid(text) && text !== INTERRUPTED && !text.endsWith(`${OUTCOME}${NOT_STARTED}`)
      ),
      isSaid(stopped.at(-1) ?? ""),
    ),
  };
}

/**
 * Describes the last action other than a look-up, and the look-ups after it. If there is no such action,
 * describes only the last look-up.
 */
function lastActionIn(steps: readonly string[], isAnswered: boolean): string {
  const at = steps.findLastIndex((text) => !isLookUp(text));
  const looked = steps.slice(at + 1);
  const lookUp = shortStep(looked.at(-1) ?? "");
  const last = cutStep(
    lookUp,
    isAnswered ? MAX_LOOK_UP_CHARS : maxCharsWithOutcome(lookUp, MAX_LOOK_UP_CHARS),
  );
  if (at < 0) return last;
  const step = steps[at] ?? "";
  const isUnread = !isAnswered && (REPORT.test(step) || looked.length === 0);
  const maxChars = isUnread ? maxCharsWithOutcome(step, MAX_CALL_CHARS) : MAX_ACTION_CHARS;
  const action = cutStep(step, Math.max(maxChars, MAX_ACTION_CHARS));
  if (looked.length === 0) return action;
  const count = lookUpsOf(looked);
  // The outcome of the second-to-last look-up may show what remains to do.
  const withOutcome = looked.slice(-2).map(shortStep).filter((step) => step.includes(OUTCOME));
  if (withOutcome.length === 2) {
    const before = cutStep(withOutcome[0] ?? "", MAX_LOOK_UP_CHARS);
    return `${action}; then ${count} look-ups${count === 2 ? "" : ", last"}: ${before}; ${last}`;
  }
  return `${action}; then ${count === 1 ? "" : `${count} look-ups, last: `}${last}`;
}

/** Returns the limit for a step whose outcome no message describes; `callChars` limits its call. */
function maxCharsWithOutcome(step: string, callChars: number): number {
  const at = step.indexOf(OUTCOME);
  return Math.min(MAX_REPORT_CHARS, callChars + (at < 0 ? 0 : step.length - at));
}

/** Leaves out the passages of a read file, because the last steps show them. */
function shortStep(step: string): string {
  return /^Read .* → \d/.test(step) ? step.split(OUTCOME, 1)[0] ?? "" : step;
}

interface LastSaid {
  readonly answer: string;
  /** The announced step if it may still be open; otherwise empty. */
  readonly announced: string;
  /**
   * The announced step if it is only probably done, because many actions, the announced look-ups or one edit
   * followed; otherwise empty.
   */
  readonly followed: string;
  readonly actions: number;
  /** The number of calls since, look-ups included. */
  readonly calls: number;
}

function lastSaid(stopped: readonly string[], at: number): LastSaid {
  const said = stopped.findLastIndex((text) => text.startsWith(ASSISTANT));
  const answer = said > at ? stopped[said] ?? "" : "";
  const steps = stopped.slice(Math.max(said, at) + 1);
  const since = steps.filter((step) => !isLookUp(step) && isCall(step));
  // Until the work has begun, a list may only describe what the user can ask for.
  const [, list = ""] = since.length === 0
    ? []
    : LISTED_STEPS.exec(answer.slice(ASSISTANT.length)) ?? [];
  const announced = announcedIn(answer) || list;
  const isFulfilled = (/\bcommit\b/i.test(announced) && since.some(isCommitStep)) ||
    areChecksDone(announced, since) ||
    isCheckedLast(announced, since) ||
    (STARTS_AGENT.test(announced) && since.some((step) => REPORT.test(step))) ||
    // A message such as "Now a test:" introduces the edit after it. One edit does not complete several steps.
    (answer.endsWith(":") && !NAMES_SEVERAL.test(announced) &&
      !isAnnouncement(sentencesOf(answer).at(-1) ?? "") &&
      isEditStep(steps[0] ?? ""));
  const hasFollowed = ONLY_LOOKS.test(announced)
    ? steps.some((step) => !hasNoResult(step))
    : ONE_ADDITION.test(announced) && !NAMES_SEVERAL.test(announced) && since.length === 1 &&
      isEditStep(since[0] ?? "");
  const listed = announced.match(/ \d[.)] /g)?.length ?? 0;
  const maxActions = listed > 1
    ? listed - 1
    : MANY_PARTS.test(announced) && since.every(isEditStep)
    ? MAX_EDITS_SINCE
    : MAX_ACTIONS_SINCE;
  const isOpen = since.length <= maxActions && !isFulfilled && !hasFollowed;
  return {
    answer,
    announced: isOpen ? announced : "",
    followed: isOpen || isFulfilled ? "" : announced,
    actions: since.length,
    calls: lookUpsOf(steps.filter(isCall)),
  };
}

function isEditStep(step: string): boolean {
  return EDIT.test(step) && !step.includes(OUTCOME);
}

function passedIn(step: string): { readonly command: string; readonly outcome: string } {
  const [, command = "", outcome = ""] = COMMAND.exec(step) ?? [];
  const isEnded = !isWithoutResult(outcome) && !didNotRun(outcome) && !runsInBackground(outcome);
  return isEnded && !outcome.startsWith("failed")
    ? { command, outcome }
    : { command: "", outcome: "" };
}

function isTrial(step: string): boolean {
  const { command } = passedIn(step);
  return command !== "" && !hasCheck(command) && writtenBy(command).length === 0;
}

function isPassedCheck(step: string): boolean {
  const { command, outcome } = passedIn(step);
  return hasCheck(command) && !/^(?:ran no test|outcome not)/.test(outcome);
}

export function lastAnnouncedStep(stopped: readonly string[], at: number): string {
  return lastSaid(stopped, at).announced;
}

/**
 * Quotes the last message since the newest prompt, or only the announcement in it. `factor` multiplies the
 * limit of a message.
 */
export function lastSaidLine(stopped: readonly string[], at: number, factor: number): string {
  const { answer, announced, followed, calls } = lastSaid(stopped, at);
  const words = answer.slice(ASSISTANT.length);
  const suffix = calls === 0 ? "" : ` (${counted(calls, "call")} since then)`;
  const announcement = (step: string): string =>
    `Announced last: ${cutEnds(step, MAX_ANNOUNCED_CHARS, 1 / 3)}${suffix}`;
  if (announced !== "" && words.length <= announced.length + MAX_OTHER_CHARS) {
    return announcement(announced);
  }
  const more = sentencesOf(words).filter((one) => !isAnnouncement(one) && !one.endsWith(":"));
  const isStep = announcedIn(answer) !== "" || LIST_UPDATE.test(words);
  const isDone = isStep && more.join(" ").length <= MAX_OTHER_CHARS;
  if (isDone && announced === "") return followed === "" ? "" : announcement(followed);
  if (words === "") return "";
  const said = LAST_MESSAGE_LEAD + suffix;
  const offer = lateOffer(words);
  const end = words.lastIndexOf(offer) + offer.length;
  // A message that answers a question or ends a turn has a higher limit, because the user responds to it.
  const isFinal = calls === 0 || asksSomething(stopped[at]);
  const maxChars = (isFinal ? MAX_FINAL_CHARS : MAX_SAID_CHARS) * factor;
  const cut = (one: string, share: number): string => cutEnds(one, maxChars, share);
  return `${said}: ${cut(words.slice(0, end), 1 / 4)}${cut(words.slice(end), 1 / 2)}`;
}

/**
 * States whose turn it is, or what to do next.
 *
 * - `unchecked` is a line about a failed check that was not run again. It takes precedence if actions followed
 *   the last message.
 * - `isAnswered` is false if anything followed the last message, even a call that the steps do not show, such
 *   as an update of the task list.
 * - `isBegun` is false if files were edited before the newest prompt, this prompt is not a question, and
 *   nothing was edited, committed or pushed since.
 */
export function turnLine(
  stopped: readonly string[],
  at: number,
  { unchecked, isAnswered, isBegun, isListDone }: {
    readonly unchecked: string;
    readonly isAnswered: boolean;
    readonly isBegun: boolean;
    readonly isListDone: boolean;
  },
): string {
  const last = stopped.at(-1) ?? "";
  if (at >= 0 && at === stopped.length - 1) {
    if (last.startsWith(`${USER}! `)) return "";
    if (THANKS.test(last.slice(USER.length))) return "Next: the user's turn";
    if (TALK_REQUEST.test(last)) return "Next: discuss it with the user before doing anything";
    return isSaidMidTurn(stopped, at)
      ? "Next: act on this; the user said it while the assistant worked; nothing has been done since"
      : "Next: act on this; nothing has been done since the user said it";
  }
  if (last.startsWith(API_ERROR)) {
    return "Next: continue with this request; the API failed before an answer";
  }
  const { answer, announced, actions } = lastSaid(stopped, at);
  if (actions > 0 && unchecked !== "") {
    return `Next: rerun what failed, then ${REST}`;
  }
  if (last === INTERRUPTED && at === stopped.length - 2) {
    return "Next: act on this, unless the user says otherwise; they interrupted before anything was done";
  }
  if (STOPPED.test(last)) return "Next: the user stopped it; ask before continuing";
  const [, dialog] = OPEN_DIALOG.exec(last) ?? [];
  if (dialog !== undefined) {
    const waiting = dialog === "AskUserQuestion"
      ? "a question waits for an answer"
      : "the plan waits for approval";
    return `Next: the user's turn; ${waiting}`;
  }
  // A closing question waits for the user, even if the message announces work.
  if (announced !== "" && !endsInQuestion(stopped)) {
    if (actions > 0) return `Next: make sure that the announced step is complete, then ${REST}`;
    return isBegun
      ? `Next: do what was announced, then ${REST}`
      : `Next: do what was announced, then continue with this request; ${NOT_BEGUN}`;
  }
  if (last === answer && answer !== "" && isAnswered) {
    if (endsInQuestion(stopped)) return "Next: the user's turn; the assistant asked a question";
    return "Next: the user's turn; the assistant answered last";
  }
  if (at < 0) return "";
  // If the last message only confirms that the work is done, nothing else is left to do.
  const isReply = (step: string): boolean => isApiWrite(passedIn(step).command);
  const isSettled = CLAIMS_PASS.test(answer) || VERIFICATION.test(announcedIn(answer)) ||
    (REPLYING.test(announcedIn(answer)) && isReply(last));
  const acts = stopped.filter((step) => !isLookUp(step) && !(isSettled && step === answer));
  // Replies to a review often follow the push of what they report.
  const lastAct = acts.findLast((step) => !isReply(step)) ?? "";
  if (isCommitStep(lastAct) || isPushStep(lastAct)) {
    const state = isPushStep(lastAct) ? "pushed" : "committed";
    const [, rest] = acts.at(-1) === lastAct ? AFTER_COMMIT.exec(stopped[at] ?? "") ?? [] : [];
    if (rest !== undefined) {
      return `Next: "${rest.trim()}", as the user asked; the work is ${state}`;
    }
    return `Next: answer the user, unless part of this request remains; the work is ${state}`;
  }
  // A command that only tries the result out does not undo the check before it.
  if (isPassedCheck(acts.findLast((step) => !isTrial(step)) ?? "")) {
    return "Next: answer the user, unless part of this request remains; the last check passed";
  }
  if (REPORT.test(last) && !hasNoResult(last) && !NO_REPORT.test(last)) {
    return `Next: act on the agent's report, then ${REST}`;
  }
  if (isListDone) {
    return "Next: answer the user, unless part of this request remains; every listed step is done";
  }
  if (actions === 0) {
    return `Next: continue with this request; ${isBegun ? NOT_ENDED : NOT_BEGUN}`;
  }
  return `Next: ${REST}; ${NOT_ENDED}`;
}

export function isSaidMidTurn(stopped: readonly string[], at: number): boolean {
  const before = stopped[at - 1] ?? "";
  const isCall = EDIT.test(before) || COMMAND.test(before) || isLookUp(before);
  return isCall && !STOPPED.test(before);
}

/** Captures what a request asks for after the commit, as in "commit, push, then reply to the comments". */
const AFTER_COMMIT = /\b(?:commit|push)\b[^.?!]*\bthen ((?!.*\b(?:commit|push|then)\b)[^.?!()…]+)/i;

const OPEN_DIALOG = new RegExp(`^(AskUserQuestion|ExitPlanMode)\\b.*${OUTCOME}${NO_RESULT}$`);

/** The next step if only the request itself says what is left to do. */
const REST = "finish this request";

const NOT_ENDED = "the turn has no final answer";

const NOT_BEGUN = "no edit or commit was seen for it yet";

const REPLYING = /\b(?:repl(?:y|ies|ying)|respond\w*)\b/i;

const THANKS =
  /^(?:(?:ok(?:ay)?|cool|nice|great|perfect|awesome)\b[\s.,!]*)*(?:thanks|thank you|thx|ty)\b[\s.,!:)]*$/i;

const TALK_REQUEST = /\b(?:let'?s|can we|want to) (?:talk|discuss)\b/i;

/** Matches an interruption, or a call that the user stopped or refused. Details of an edit may follow. */
const STOPPED = new RegExp(`^${INTERRUPTED}|${OUTCOME}(?:${STOPPED_BY_USER}|refused)(?: \\(|$)`);

const AFTER_CHECKS = /\b(?:commit|push|merge|rebase|reply|respond|answer|comments?|release)\b/i;

/**
 * Whether the last step is a passed check, and each kind of check in the announcement has passed. False
 * if the announcement also mentions work that follows the checks.
 */
function isCheckedLast(announced: string, since: readonly string[]): boolean {
  const passed = since.filter(isPassedCheck);
  return isPassedCheck(since.at(-1) ?? "") && !AFTER_CHECKS.test(announced) &&
    checkKindsIn(announced).every((kind) =>
      kind === "check" || passed.some((step) => step.includes(kind))
    );
}

/** Whether an announcement mentions only checks, all of them have ended since, and nothing else was done. */
function areChecksDone(announced: string, since: readonly string[]): boolean {
  const kinds = CHECK_RUN.test(announced) ? checkKindsIn(announced) : [];
  const ran = since.flatMap((step) => {
    const [, command = "", outcome = NO_RESULT] = COMMAND.exec(step) ?? [];
    return !isWithoutResult(outcome) && hasCheck(command) ? command : [];
  });
  return kinds.length > 0 && ran.length === since.length &&
    kinds.every((kind) => ran.some((command) => command.includes(kind)));
}

export function isHeldByUser(stopped: readonly string[]): boolean {
  const last = stopped.at(-1) ?? "";
  return STOPPED.test(last) || OPEN_DIALOG.test(last);
}

/** A long command may be cut before its `git commit`, but git's output is shown. */
const MADE_COMMIT = /^\[[^\]]+ [0-9a-f]{7,40}\] /;

export function isCommitStep(step: string): boolean {
  const { command, outcome } = passedIn(step);
  const result = /^(?:ok|no output)$/.test(outcome) ? "" : outcome;
  return madeCommit(command, { result, isError: false }) || MADE_COMMIT.test(outcome);
}

export function isPushStep(step: string): boolean {
  const { command, outcome } = passedIn(step);
  return madePush(command, outcome);
}

/** Whether a step is neither an interruption nor an API error. */
function isCall(step: string): boolean {
  return step !== INTERRUPTED && !step.startsWith(API_ERROR);
}

/** Whether a prompt asks something; a question mark inside a URL does not count. */
export function asksSomething(prompt = ""): boolean {
  return /\?(?=[\s"'`)*_]|$)/.test(prompt);
}

/** Returns the name of the newest skill that the assistant loaded; empty without one. */
export function skillIn(steps: readonly string[]): string {
  return steps.findLast((step) => step.startsWith("Skill "))?.split(" ")[1] ?? "";
}
