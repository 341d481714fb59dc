/** Renders the decisions that later work must respect. */

import { CORRECTED, correctedIn } from "../decisions/corrections.ts";
import { APPROVED } from "../decisions/design_sections.ts";
import type { Decision } from "../core/work_state.ts";
import { decisionLine, MIN_REQUESTS_SINCE } from "./lines.ts";
import { cutEnd, type Fitted } from "../inject/fit_lines.ts";
import {
  type Fit,
  itemsPart,
  occursIn,
  type PartOptions,
  ShownText,
  wordsOnly,
  type Work,
} from "./part.ts";
import { currentRequests, hasCommitSince, requestsSince } from "./requests.ts";

/** Limit for the words of a decision that the text above already shows. */
const MAX_SHOWN_ABOVE_CHARS = 80;

/** Fractions of the limits for a decision, tried in this order if not all decisions fit. */
const SHARES = [1, 0.6, 0.45, 0.3];

/** For each group of this many shown decisions, one may be omitted, so that the others are readable. */
const DECISIONS_PER_OMITTED = 5;
const MAX_MORE_OMITTED = 2;

const SPEAKER_LEAD =
  /^the (?:user had said|assistant (?:had said|replied|advised(?: it because)?)): /;

/** A colon inside code introduces no option. */
const OPTION_BELOW_LEAD = /^(?:[^:`]|`[^`]{0,80}`){1,120}: (.{60,})$/;

/** Matches the overview after the title of a plan. */
const BELOW_TITLE = /(?<=.{4}): .*$/s;

export function decisionsPart(work: Work, options: PartOptions): Fit {
  const decisions = shownDecisions(work, options);
  return (room, above) => {
    const words = wordsOnly(above);
    const fresh = decisions.flatMap(([one, age]): typeof decisions => {
      const decision = one.decision.replace(APPROVED, "");
      if (options.isRecord) return [[one, age]];
      // The text above may show the chosen option without the line that introduced the options.
      // It shows a plan if it shows the plan's title.
      const option = decision === one.decision
        ? OPTION_BELOW_LEAD.exec(decision)?.[1] ?? decision
        : decision.replace(BELOW_TITLE, "");
      const reason = one.rationale;
      const isReasonShown = occursIn(reason.replace(SPEAKER_LEAD, ""), words);
      if (!occursIn(option, words)) {
        return [[isReasonShown ? { ...one, rationale: "" } : one, age]];
      }
      // The text above already shows the decision, so its start is enough to introduce the reason and the
      // rejected options.
      const hasRejected = one.alternatives.some((option) => !occursIn(option, words));
      const hasNoReason = reason === "" || isReasonShown;
      if (hasNoReason && !hasRejected) return [];
      return [[{ ...one, decision: cutEnd(option, MAX_SHOWN_ABOVE_CHARS) }, age]];
    });
    const fit = (shown: typeof fresh, share: number): Fitted =>
      itemsPart(shown.map(([one, age]) => decisionLine(one, age, share)), options)(
        room,
        above,
      );
    const all = fit(fresh, 1);
    if (all.omitted === 0) return all;
    // Several short decisions are better than one decision in full, and decisions with reasons are better
    // than sections of a design. Fixes for older requests come last, because the code shows them. An answer in
    // the user's own words counts as much as an option, whose description looks like a reason.
    const rank = ([one, age]: typeof fresh[number]): number =>
      one.kind === "assistant" && age >= MIN_REQUESTS_SINCE
        ? -1
        : Number(one.kind === "answer" || hasReason(one));
    const byReason = fresh.toSorted((a, b) => rank(b) - rank(a));
    // A newer decision can replace an older one, so the kept decisions stay newest first.
    const fitInOrder = (share: number): Fitted => {
      const { lines, omitted } = fit(byReason, share);
      const ordered = byReason.slice(0, lines.length).map((one, at) => ({
        at: fresh.indexOf(one),
        line: lines[at] ?? "",
      })).filter(({ line }) => line.startsWith("- ")).toSorted((a, b) => a.at - b.at);
      return {
        lines: [...ordered.map(({ line }) => line), ...lines.slice(ordered.length)],
        omitted,
      };
    };
    const fitted = SHARES.map(fitInOrder);
    const fewest = Math.min(...fitted.map(({ omitted }) => omitted));
    const most = fresh.length - fewest;
    const more = Math.min(MAX_MORE_OMITTED, Math.floor(most / DECISIONS_PER_OMITTED));
    return fitted.find(({ omitted }) => omitted <= fewest + more) ?? all;
  };
}

const REASON = /\b(?:because|since|so that|in order to|avoid\w*|instead of|rather than|not)\b/i;

/** Matches a decision not to commit. The next commit ends it. */
const NO_COMMIT = /\b(?:don'?t|do not) commit(?: (?:it|this|that|these|anything|yet|now))*\W*$/i;

/**
 * Omits repeated decisions, sections of a plan that the "Now" part shows, old sections that state no reason,
 * and decisions that a later commit ended. A record lists every decision. A brief layout lists
 * no decisions except answers to dialogs, because the client's summary covers the others.
 */
function shownDecisions(
  work: Work,
  { shown, isBrief, isRecord, hasNow }: PartOptions,
): (readonly [decision: Decision, age: number])[] {
  const { decisions } = work;
  const newest = currentRequests(work);
  const stopped = work.trail?.stopped ?? [];
  const corrected = Array.from(
    correctedIn(stopped.map(({ text }) => text)),
    (at) => stopped[at]?.from.line ?? NaN,
  );
  const isOver = (one: Decision): boolean => {
    const isOldWork = one.kind === "plan" && !one.decision.startsWith(APPROVED) &&
      !REASON.test(one.decision) && requestsSince(work, one) >= MIN_REQUESTS_SINCE;
    const isDone = one.decision.startsWith("Agreed: ") && !hasReason(one) &&
      requestsSince(work, one) >= MIN_REQUESTS_SINCE && hasCommitSince(work, one.from);
    const isAsked = hasNow && one.kind === "plan" && !hasReason(one) &&
      newest.some(({ from: { line } }) => line !== null && line === one.from.line);
    const hasEnded = NO_COMMIT.test(one.decision) && hasCommitSince(work, one.from);
    return isOldWork || isDone || isAsked || hasEnded;
  };
  const own = new ShownText(shown.projectDir, isRecord);
  const kept = decisions.filter(({ kind }) => !isBrief || kind === "answer")
    .filter((one) => isRecord || (!isOver(one) && own.addIfNew(one.decision)));
  for (const { decision } of kept) shown.remember(decision);
  return kept.map((one) => {
    const isCorrected = one.kind === "assistant" && corrected.includes(one.from.line ?? -1);
    const decision = isCorrected ? one.decision + CORRECTED : one.decision;
    return [{ ...one, decision }, requestsSince(work, one)];
  });
}

function hasReason({ rationale, alternatives }: Decision): boolean {
  return rationale !== "" || alternatives.length > 0;
}
