/** Defines the wording of lines about a session's last steps, and patterns that match these lines. */

import { isQuestion, offersIn } from "../core/questions.ts";
import { hasCheck, isUsageError } from "../core/shell_commands.ts";
import { boundText } from "./bound.ts";
import { cutEnds, cutText } from "./ends.ts";
import { excerptLine } from "./excerpt.ts";
import { sentencesOf } from "./prose.ts";

export const USER = "User: ";
export const ASSISTANT = "Assistant: ";
export const LAST_ACTION = "Last action: ";

const SPEAKER = new RegExp(`^${ASSISTANT}`);

/** Separates a call from its outcome. */
export const OUTCOME = " → ";

export const FAILED = / → failed|failed: /;

export const COMMAND = /^Bash (.*?) → (.*)$/;

export function commandIn(line: string): string {
  return /^`([^`]*?)…?`/.exec(line)?.[1] ?? line;
}

/** Ends the line of a check that the session only read about. */
export const UNTRIED = ", not run here";

export function isCheckLine(line: string): boolean {
  return !line.endsWith(UNTRIED) && hasCheck(commandIn(line));
}

export function checkKindsIn(text: string): string[] {
  return text.toLowerCase().match(/fmt|format|lint|test|build|check/g) ?? [];
}

export const INTERRUPTED = "Interrupted by the user";

/** Prefix of the step for an API error. */
export const API_ERROR = "API error: ";

/** The outcome of a call that was still open when the session ended. */
export const NO_RESULT = "no result yet";

/** The outcome of a call whose result was not recorded before a compaction. */
export const LOST_RESULT = "no result recorded before a compaction";

export function isWithoutResult(outcome: string): boolean {
  return outcome.startsWith(NO_RESULT) || outcome.startsWith(LOST_RESULT);
}

/** Whether the outcome of a step is unknown. Ignores look-ups that the line lists after `; then`. */
export function hasNoResult(step: string): boolean {
  return isWithoutResult(step.split("; then ", 1)[0]?.split(OUTCOME).at(-1) ?? "");
}

export const HIDDEN_END = "outcome not shown";

const ANNOUNCEMENT =
  /^(?:(?:now|next|then|first|also|ok(?:ay)?|good|great|perfect|actually|wait)\b[\s,.!—–-]*)*(?:let me(?! know| (?:now |also )?(?:summari[sz]e|recap|(?:provide|give|share|present)\b[^.:]*\b(?:summary|overview|recap)\b))|let's|\**step \d+\b|i(?:(?:'ll| will)(?! (?:wait|pause|hold off|stand by|stop here))|'m going to| need to)|(?:now|next|then)[, ]+(?:\w+ing|run|add|update|fix|check|write|remove)\b)/i;

export function isAnnouncement(sentence: string): boolean {
  return ANNOUNCEMENT.test(sentence);
}

/** Matches an announcement that only concerns the task list. */
export const LIST_UPDATE =
  /\b(?:mark|update)\b[^.]*\b(?:tasks?|todos?|to-dos?)\b|\bcreate (?:a|the) (?:task|to-?do) list\b/i;

/** Matches an announcement of work in several places, such as "Now update all three callers.". */
export const NAMES_SEVERAL = /\b(?:all|both|each|every|(?:two|three|four|five|[2-9]) [\w ]*s)\b/i;

/** Matches the end of a failure's line if a similar check passed later, or a commit or push followed. */
export const RESOLVED_FAILURE = /; (?:since then `[^`]*` passed|a (?:commit|push) followed)$/;

/** Matches a remark that a failure was expected, such as that of a test whose code does not exist yet. */
export const EXPECTED = /\bfail\w* as expected\b|\bexpected (?:failure|to fail)\b/i;

/** Matches a remark that blames a failure on something other than the session's changes. */
export const OTHER_CAUSE =
  /\bpre-?existing\b|\bunrelated\b|\bnot (?:from|related to|caused by|due to|because of) (?:our|my|these|this|the) \b/i;

/** Matches the line of a failure that the assistant expected, or blamed on something else. */
export const EXPECTED_FAILURE = new RegExp(
  `the assistant said: "[^"]*(?:${EXPECTED.source}|${OTHER_CAUSE.source})`,
  "i",
);

/** Completes "; before ..." in the line of a command that ran before a subagent edited files. */
export const AGENT_EDITS = "edits by a subagent";

/** Matches the end of a command's line, which describes what happened after the command ran. */
export const AFTERMATH = new RegExp(
  /(?:; \d+ edits? since then)?(?:; \d+ files? reverted since then)?/.source +
    `(?:; before (?:\`[^\`]*\`|${AGENT_EDITS}))?` +
    /(?:; [^;]{1,200} (?:passed alone|renamed, moved or removed) since then){0,2}/.source +
    /(?:; (?:since then `[^`]*` passed|a (?:commit|push) followed))?$/.source,
);

const COMMAND_END =
  /^((?:- )?`[^`]*)`((?: \d+ times)? (?:failed|ok|ran(?: no test|, outcome not shown)?)\b)/;

/** Shortest part of a command that is worth showing, in UTF-16 code units. */
const MIN_COMMAND_CHARS = 12;

/** Shortest start of a line that is worth showing before its aftermath, in UTF-16 code units. */
const MIN_FAILURE_CHARS = 60;

/**
 * Shortens a line about a command. Keeps how the command ended and what followed, so that a settled failure
 * does not seem open. Returns an empty string if these parts do not fit.
 */
export function shortenOutcome(line: string, maxChars: number): string {
  const after = AFTERMATH.exec(line)?.[0] ?? "";
  const room = maxChars - after.length - 1;
  if (after !== "" && room < MIN_FAILURE_CHARS) return "";
  const [known = "", command = "", end = ""] = COMMAND_END.exec(line) ?? [];
  if (known.length <= room) {
    return `${boundText(line.slice(0, line.length - after.length), room)}…${after}`;
  }
  const left = room - end.length - 1;
  // A command cannot be run again from its start alone, but the start still shows what failed.
  return left < MIN_COMMAND_CHARS || !end.endsWith("failed")
    ? ""
    : `${boundText(command, left)}…\`${end}${after}`;
}

export function commandsIn(
  commands: readonly { readonly text: string }[],
  pattern: RegExp,
): string[] {
  return commands.flatMap(({ text }) => pattern.test(text) ? commandIn(text) : []);
}

export const UNSEEN_COMMAND = /^`[^`]*`(?: \d+ times)? ran, outcome not shown/;
export const FAILED_COMMAND = /^`[^`]*`(?: \d+ times)? failed/;
export const PASSED_COMMAND = /^`[^`]*`(?: \d+ times)? ok\b/;

/**
 * Returns a line for the first failed check that was not run again after later edits.
 *
 * @param action The last action, which may be a run of that check without a result yet.
 */
export function uncheckedIn(
  commands: readonly { readonly text: string }[],
  action: string,
): string {
  const [, command = "", outcome = ""] = COMMAND.exec(action) ?? [];
  const running = isWithoutResult(outcome) ? command : "";
  const failed = commands.find(({ text }) =>
    EDITED_SINCE.test(text) && FAILED.test(text) && isCheckLine(text) &&
    !RESOLVED_FAILURE.test(text) && !EXPECTED_FAILURE.test(text) &&
    !running.includes(commandIn(text))
  );
  if (failed === undefined) return "";
  const [, edits] = EDITED_SINCE.exec(failed.text) ?? [];
  return `Not run again: \`${commandIn(failed.text)}\` failed, and ${edits} followed`;
}

export const EDITED_SINCE = /; (\d+ edits?) since then/;

export function isFailedCheck(step: string): boolean {
  const [, command = "", outcome = ""] = COMMAND.exec(step) ?? [];
  return outcome.startsWith("failed") && hasCheck(command) && !isUsageFailure(outcome);
}

/** Whether an outcome reports wrong syntax, wrong arguments or a wrong folder, not a failure of the check. */
export function isUsageFailure(outcome: string): boolean {
  return isUsageError(outcome.replace(/^failed: /, ""));
}

const QUESTION_CHARS = 700;
const QUESTION_KEY_CHARS = 20;
const MAX_ADDED_QUESTION_CHARS = 240;

/**
 * Shortens the message before a reply, and adds its last question if the question is missing.
 *
 * @param text The message, which may already be shortened.
 * @param whole The whole message.
 * @param factor Multiplies the limit.
 */
export function textBeforeReply(text: string, whole: string, factor: number): string {
  const [part = "", all = ""] = [text, whole].map((line) => line.replace(SPEAKER, ""));
  const shown = excerptLine(cutText(part, QUESTION_CHARS * factor, 1 / 4), Infinity);
  const asked = sentencesOf(all).findLast((sentence) => sentence.endsWith("?")) ?? "";
  const question = excerptLine(asked, Infinity);
  // Compares only the end, because `sentencesOf()` joins a list before the question to it.
  return shown.includes(question.slice(-QUESTION_KEY_CHARS))
    ? shown
    : `${shown} […] ${cutEnds(question, MAX_ADDED_QUESTION_CHARS, 0)}`;
}

/** Matches the end of a message that asks without a question mark, such as "let me know whether it works". */
const REQUESTS_ANSWER =
  /\b(?:let me know (?:whether|if|which|how|what)|(?:check|confirm) with you)\b[^.!?]*[.!]?$/i;

/** Matches a question, the options below it, and whatever follows them. */
export const CLOSING_OPTIONS = new RegExp(
  /(?:\*\*Questions?:?\*\*:? )?/.source +
    /(?:(?<![^\s*])[^.!?:\s*][^.!?:]{0,160}\b(?:you|we|which|what|how|should|prefer)\b[^.!?]{4,160}\?|\b(?:should|(?:would|do) you)\b[^.!?]{4,160}:)/
      .source +
    /(?:\*\*)?\s+(?:\*\*)?(?:1[.)]|A[.)])\s[^]*?\s(?:\*\*)?(?:2[.)]|B[.)])\s[^]*$/.source,
  "i",
);

export function endsInQuestion(stopped: readonly string[]): boolean {
  const last = stopped.at(-1) ?? "";
  return last.startsWith(ASSISTANT) &&
    (isQuestion(last) || REQUESTS_ANSWER.test(last) || CLOSING_OPTIONS.test(last) ||
      lateOffer(last) !== "");
}

/** Returns the last offer in the second half of a message, unless the message ends in an announcement. */
export function lateOffer(message: string): string {
  const offer = offersIn(message).at(-1) ?? "";
  const isLate = message.lastIndexOf(offer) > message.length / 2;
  return isLate && !isAnnouncement(sentencesOf(message).at(-1) ?? "") ? offer : "";
}
