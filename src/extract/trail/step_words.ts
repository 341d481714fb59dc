/** The wording of the last steps: who spoke, what a call was about, and what came of it. */

import { cutEnds } from "../ends.ts";
import { sentencesOf } from "../prose.ts";

/** Beginnings of steps in which somebody said something. */
export const USER = "User: ";
export const ASSISTANT = "Assistant: ";

/** Stands between a call and what came of it. */
export const OUTCOME = " → ";

export const FAILED = / → failed|failed: /;

/** Steps that only look; their success tells nothing. */
const LOOK_UP =
  /^(Grep|Read|Glob|Skill|LSP|WebFetch|WebSearch|Bash (?:git (?:status|diff|log|show|branch|rev-parse|remote)|ls|cat|grep|rg|find|head|tail|wc|pwd|sed -n))\b/;

export function isLookUp(step: string): boolean {
  return LOOK_UP.test(step) && !FAILED.test(step);
}

/** A sentence in which the assistant says what it does next. */
const ANNOUNCEMENT =
  /^(?:(?:now|next|then|first|also|ok(?:ay)?|good|great|perfect|actually|wait)\b[\s,.!—–-]*)*(?:let me(?! know)|let's|i(?:'ll(?! wait)| will(?! wait)|'m going to| need to)|(?:now|next|then)[, ]+(?:\w+ing|run|add|update|fix|check|write|remove)\b)/i;

export function isAnnouncement(sentence: string): boolean {
  return ANNOUNCEMENT.test(sentence);
}

/** The work that the assistant's words announced at their end; empty if they announced none. */
export function announcedIn(step: string): string {
  const last = step.startsWith(ASSISTANT) ? sentencesOf(step.slice(ASSISTANT.length)).at(-1) : "";
  return last !== undefined && isAnnouncement(last) ? last.replace(/:$/, ".") : "";
}

/** Shortens a call and what came of it each by itself: one that runs into the other says neither. */
export function cutStep(step: string, maxChars: number): string {
  const at = step.indexOf(OUTCOME);
  if (at < 0 || step.length <= maxChars) return cutEnds(step, maxChars);
  const [call, outcome] = [step.slice(0, at), step.slice(at)];
  const room = Math.max(maxChars - outcome.length, Math.floor(maxChars / 2));
  const told = cutEnds(call, room);
  return told + cutEnds(outcome, maxChars - told.length);
}
