/** Words that describe a session's last steps, which the layout reads again. */

import { hasCheck } from "../core/shell_commands.ts";

/** Prefixes of lines for messages. */
export const USER = "User: ";
export const ASSISTANT = "Assistant: ";

/** Separates a call from its outcome. */
export const OUTCOME = " → ";

export const FAILED = / → failed|failed: /;

/** Returns the command in backquotes at the start of a line. */
export function commandIn(line: string): string {
  return /^`([^`]*?)…?`/.exec(line)?.[1] ?? line;
}

export function isCheckLine(line: string): boolean {
  return hasCheck(commandIn(line));
}

/** The outcome of a call that the session ended before. */
export const NO_RESULT = "no result yet";

/** Matches a sentence that announces the next action, such as "Let me fix this.". */
const ANNOUNCEMENT =
  /^(?:(?:now|next|then|first|also|ok(?:ay)?|good|great|perfect|actually|wait)\b[\s,.!—–-]*)*(?:let me(?! know)|let's|i(?:'ll(?! wait)| will(?! wait)|'m going to| need to)|(?:now|next|then)[, ]+(?:\w+ing|run|add|update|fix|check|write|remove)\b)/i;

export function isAnnouncement(sentence: string): boolean {
  return ANNOUNCEMENT.test(sentence);
}

/** Matches the end of a failure's line if a check of the same kind passed later or a commit followed. */
const WAS_FOLLOWED = /; (?:since then `[^`]*` passed|a commit followed)$/;

/** Matches the assistant's words that a failure was expected, or older than its work. */
const NO_NEWS =
  /the assistant said: "[^"]*\b(?:as expected|pre-?existing|unrelated|not (?:caused by|related to))\b/i;

/** Returns a line for the first failed check that was not run again after later edits. */
export function uncheckedIn(commands: readonly { readonly text: string }[]): string {
  for (const { text } of commands) {
    const since = /; (\d+ edits?) since then/.exec(text)?.[1];
    if (since === undefined || !FAILED.test(text) || !isCheckLine(text)) continue;
    if (WAS_FOLLOWED.test(text) || NO_NEWS.test(text)) continue;
    return `Not run again: \`${commandIn(text)}\` failed, and ${since} followed`;
  }
  return "";
}
