/** Finds the request that is being worked on, and what happened before it and since. */

import { excerptLine } from "../inject/excerpt.ts";
import { isRule } from "../extract/requirements.ts";
import { isSaidMidTurn, lastAnnouncedStep } from "../extract/trail/last_turn.ts";
import { REPLIED } from "../extract/trail/refusals.ts";
import { USER } from "../inject/step_words.ts";
import type { Origin, Said, WorkState } from "../core/work_state.ts";
import { isByHand } from "./lines.ts";

const MAX_REFUSED_CHARS = 80;

/** Prefers the user's newest request, because handwritten notes come from the model. */
export function newestRequest(requirements: readonly Said[]): Said | undefined {
  return requirements.findLast(({ from }) => !isByHand(from)) ?? requirements.at(-1);
}

/**
 * Returns the current request. If the user's newest message refused or stopped a call, or came while the
 * assistant worked, it is a remark that adds to the request before it, and both are returned.
 */
export function currentRequests({ requirements, trail }: WorkState): readonly Said[] {
  const newest = newestRequest(requirements);
  if (newest === undefined) return [];
  const isRemark = (one: Said): boolean =>
    refusalWith(one, trail?.refused).occasion !== "" || isMidTurn(one, trail?.stopped);
  const request = requirements.slice(0, requirements.indexOf(newest))
    .findLast((one) => !isByHand(one.from) && !isRemark(one));
  return request === undefined || !isRemark(newest) ? [newest] : [request, newest];
}

function isMidTurn({ from: { line } }: Said, stopped: readonly Said[] = []): boolean {
  const at = line === null
    ? -1
    : stopped.findIndex((step) => step.from.line === line && step.text.startsWith(USER));
  const texts = stopped.slice(0, at + 1).map(({ text }) => text);
  // A message that announces a step does not end a turn.
  return isSaidMidTurn(texts, at) || lastAnnouncedStep(texts.slice(0, -1), -1) !== "";
}

/** Counts the requests after an item. An item whose place is unknown is treated as the newest. */
export function requestsSince(
  { requirements }: WorkState,
  { from: { line } }: { readonly from: Origin },
): number {
  return line === null ? 0 : requirements.filter(({ from }) => (from.line ?? 0) > line).length;
}

/** Whether the session committed after an entry, so that work open at that time is probably done. */
export function hasCommitSince({ commits }: WorkState, { line }: Origin): boolean {
  return line !== null && commits.some(({ from }) => (from.line ?? -1) > line);
}

export const REQUEST = "the newest request";

/** Splits items at the newest request. An item whose place is unknown is treated as later. */
export function splitByRequest<T extends { readonly from: Origin }>(
  items: readonly T[],
  work: WorkState,
): { readonly since: readonly T[]; readonly before: readonly T[] } {
  const askedAt = currentRequests(work)[0]?.from.line ?? 0;
  const isBefore = ({ from: { line } }: T): boolean => line !== null && line < askedAt;
  return {
    since: items.filter((one) => !isBefore(one)),
    before: items.filter((one) => isBefore(one)),
  };
}

export function changedSince(changes: WorkState["changes"], since: number): string[] {
  return changes.filter(({ from }) => (from.line ?? 0) > since).map(({ file }) => file).reverse();
}

/**
 * Returns notes about the call that the user refused or stopped with these words, and about the assistant's
 * reply. For a separate request, both are empty, and `stoppedCall` is a note about the call stopped before it.
 */
export function refusalWith(
  { text }: Said,
  refused: readonly Said[] = [],
): { readonly occasion: string; readonly stoppedCall: string; readonly reply: string } {
  const words = ` "${excerptLine(text, Infinity)}"`;
  const refusal = refused.find((one) => one.text.includes(words))?.text ?? "";
  const [before = "", after = ""] = refusal.split(words, 2);
  const [, verb, call = ""] = /^(refused|stopped) (.*?)(?:; the user then wrote)?:$/.exec(before) ??
    [];
  // After an interruption the user often asks for something else.
  const isSeparate = verb === undefined || (verb === "stopped" && !isRule(text));
  const doing = verb === "refused" ? "refusing" : "stopping";
  return {
    occasion: isSeparate ? "" : ` (said when ${doing} ${excerptLine(call, MAX_REFUSED_CHARS)})`,
    stoppedCall: isSeparate && call !== ""
      ? ` (said after stopping ${excerptLine(call.replace(/ \(.*$/, ""), MAX_REFUSED_CHARS)})`
      : "",
    reply: after.startsWith(REPLIED) ? after : "",
  };
}
