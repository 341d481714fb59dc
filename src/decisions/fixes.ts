/** Finds the fix or approach that the assistant states, with the cause stated before it. */

import { SECOND_THOUGHT } from "./corrections.ts";
import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import {
  outline,
  outlineItems,
  type ProseLine,
  sentencesIn,
  sentencesOf,
  withItems,
} from "../inject/prose.ts";
import { isAnnouncement } from "../inject/step_words.ts";

const MAX_FIX_CHARS = 360;
const MAX_REASON_CHARS = 320;
const MAX_REASON_SENTENCES = 2;
const MAX_FIXES = 3;
const MAX_FIX_SENTENCES = 2;

/** A shorter sentence, such as "I see the problem.", does not count as a reason. */
const MIN_REASON_WORDS = 6;

const NOUN = String
  .raw`^(?:(?:so|now|then|and|but|ok(?:ay)?|found it)\b[,.!:]? )*(?:(?:the|my|our) )?(?:(?:right|real|proper|correct|actual|simplest|cleanest|best|lightest(?:-weight)?|easiest|minimal|safest|simple|clean) ){0,2}(?:fix|solution|approach|way(?= to\b))\b`;

/** Matches a sentence that states the fix: "The fix: keep one lock", "The fix is to keep one lock". */
const FIX = new RegExp(
  String
    .raw`${NOUN}(?:\s*:\s+\S|(?: (?:for|to|here|of) [^:.]{2,60}?)? (?:is|was|needs) (?:just |simply |only )?(?:to (?!be\b|have\b)[a-z]|(?!working|passing|missing|coming|being|going|pending|failing)[a-z]+ing\b)|(?: \(.{2,40}\))? is (?:very |quite |pretty )?(?:straightforward|simpler?|clear|easy|trivial|small)\b[^:.]{0,40}[:—–-]\s+\S)`,
  "i",
);

/** Captures the action that replaces another, as in "The pool is shared, so I'll open it once instead". */
const CHOICE =
  /(?:^|[,;—-] |\bso )(?:I'll|I will|I need to|I(?:'d| should| can| have to| must)|we(?:'ll| should| can| need to| must)|let me|let's) (?:just |now )?(\w+ \S[^(]*)\binstead\b/i;

/** Matches words before a finding, as in "I see - the pool has no counter". */
const I_SEE = /^I see\s*[-—–:,]\s*/;

const REASON_FIRST = /^(?:since|because)\b/i;

/** Matches a heading or a label above the description of a fix. */
const FIX_HEADING = new RegExp(String.raw`${NOUN}(?: (?:needs to|is(?: to)?|applied))?\s*:?$`, "i");

const CAUSE = /\b(?:root cause|cause|problem|issue|bug|why)\b/i;

/** Matches words that show that a fix is only considered, or that only report the status of a fix. */
const UNDECIDED =
  /\b(?:would|could|might|may|either|options?|proposed|maybe|perhaps|probably|assuming|in place|complete|working)\b/i;
const HEDGE_CHARS = 100;

/** Matches a last sentence that only introduces code or a table. */
const EXAMPLE_LEAD = /(?<=[.!;]) [^.!;]*:$/;

const GUESS = /\b(?:maybe|perhaps|might|probably|I suspect|not sure)\b/i;

/** Matches a sentence that considers an action, which may differ from the fix. */
const CONSIDERED = /\b(?:I|we) (?:should|could|can(?!'t|not))\b/i;

/** Matches a report of what was done, as in "The fix was adding a lock" and "Fix: Added a lock". */
const DONE = /^[^:]{0,60}(?:\bwas\b|:\s+(?:\w+ed|kept|made|put|set|split|took|wrote|rewrote)\b)/i;

function isChoice(sentence: string): boolean {
  const action = CHOICE.exec(sentence)?.[1];
  return action !== undefined && !DECISION_CUES.trivialOffer.test(action);
}

function statesFix(sentence: string): boolean {
  return FIX.test(sentence) || isChoice(sentence);
}

export interface Fix extends Draft {
  readonly isDone: boolean;
}

export function readFixes(lines: readonly ProseLine[]): Fix[] {
  const doubtedAt = lines.findLastIndex(({ text }) =>
    sentencesOf(text).some((one) => SECOND_THOUGHT.test(one))
  );
  return lines.flatMap((line, at): Fix[] => {
    const text = fixIn(line, lines.slice(at + 1));
    if (at < doubtedAt || text === "" || UNDECIDED.test(text.slice(0, HEDGE_CHARS))) return [];
    const own = sentencesOf(line.text);
    const before = own.slice(0, Math.max(0, own.findIndex((one) => statesFix(one))));
    const above = before.length === 0 ? [] : [{ ...line, text: before.join(" ") }];
    const reason = reasonIn([...lines.slice(Math.max(0, doubtedAt), at), ...above]);
    // Without a reason, a choice is only the next step.
    if (reason === "" && isChoice(text) && !REASON_FIRST.test(text)) return [];
    return [{ ...draftOf(text, reason, "assistant"), isDone: DONE.test(text) }];
  }).slice(0, MAX_FIXES);
}

function fixIn({ kind, text }: ProseLine, below: readonly ProseLine[]): string {
  if (kind === "rule") return "";
  if (kind !== "item" && FIX_HEADING.test(text)) {
    const [first, ...rest] = below;
    const said = first?.kind === "text"
      ? withItems(
        sentencesOf(first.text).slice(0, MAX_FIX_SENTENCES).filter((one) => !isAnnouncement(one))
          .join(" "),
        rest,
        MAX_FIX_CHARS,
      )
      : outlineItems(below, MAX_FIX_CHARS);
    return said === "" ? "" : `${text.replace(/:$/, "")}: ${said}`;
  }
  if (kind === "heading") return "";
  const sentences = sentencesOf(text);
  const fix = sentences.find((one) => statesFix(one) && !one.endsWith("?")) ?? "";
  return withItems(fix, fix === sentences.at(-1) ? below : [], MAX_FIX_CHARS);
}

/** Returns the text below a heading or label such as "Root cause"; without one, the last sentences. */
export function reasonIn(before: readonly ProseLine[]): string {
  const lead = before.findLastIndex(({ kind, text }) =>
    CAUSE.test(sentencesOf(text).at(-1) ?? "") &&
    (kind === "heading" || kind === "label" || (kind === "text" && text.endsWith(":")))
  );
  if (lead >= 0) {
    const below = before.slice(lead + 1);
    const end = below.findIndex(({ kind }) => kind === "heading" || kind === "rule");
    const reason = outline(below.slice(0, end < 0 ? undefined : end), MAX_REASON_CHARS);
    return reason.replace(EXAMPLE_LEAD, "");
  }
  const start = before.findLastIndex(({ kind }) => kind === "heading" || kind === "rule");
  let left = MAX_REASON_CHARS;
  return sentencesIn(before.slice(start + 1), "text").map((one) => one.replace(I_SEE, ""))
    .filter(isReason)
    .slice(-MAX_REASON_SENTENCES).toReversed()
    .filter((one) => (left -= one.length + 1) >= 0).toReversed().join(" ");
}

function isReason(sentence: string): boolean {
  return !/(?:[?:…]|\.{3})$/.test(sentence) && sentence.split(" ").length >= MIN_REASON_WORDS &&
    !statesFix(sentence) && !SECOND_THOUGHT.test(sentence) &&
    !DECISION_CUES.narration.test(sentence) && !isAnnouncement(sentence) &&
    !GUESS.test(sentence) && !CONSIDERED.test(sentence);
}
