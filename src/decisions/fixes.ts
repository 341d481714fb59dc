/** Finds what the assistant calls the fix or the approach, with the cause that it names before. */

import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import { outline, type ProseLine, sentencesIn, sentencesOf } from "../inject/prose.ts";

const MAX_FIX_CHARS = 360;
const MAX_REASON_CHARS = 320;
const MAX_REASON_SENTENCES = 2;
const MAX_FIXES = 3;
const MAX_FIX_SENTENCES = 2;

/** A shorter sentence is no reason, as in "I see the problem.". */
const MIN_REASON_WORDS = 6;

const NOUN = String
  .raw`^(?:(?:so|now|then|and|but|ok(?:ay)?|found it)\b[,.!:]? )*(?:(?:the|my|our) )?(?:(?:right|real|proper|correct|actual|simplest|cleanest|best|lightest(?:-weight)?|easiest|minimal|safest|simple|clean) ){0,2}(?:fix|solution|approach|way(?= to\b))\b`;

/** Matches a sentence that says what the fix is: "The fix: keep one lock", "The fix is to keep one lock". */
const FIX = new RegExp(
  String
    .raw`${NOUN}(?:\s*:\s+\S|(?: (?:for|to|here|of) [^:.]{2,60}?)? (?:is|was|needs) (?:just |simply |only )?(?:to (?!be\b|have\b)[a-z]|(?!working|passing|missing|coming|being|going|pending|failing)[a-z]+ing\b)|(?: \(.{2,40}\))? is (?:very |quite |pretty )?(?:straightforward|simpler?|clear|easy|trivial|small)\b[^:.]{0,40}[:—–-]\s+\S)`,
  "i",
);

/** Matches a heading or a label above the description of a fix. */
const FIX_HEADING = new RegExp(String.raw`${NOUN}(?: (?:needs to|is(?: to)?|applied))?\s*:?$`, "i");

const CAUSE_HEADING = /\b(?:root cause|cause|problem|issue|bug|why)\b/i;

/** Matches a fix that is only considered, or the status of one. */
const UNDECIDED =
  /\b(?:would|could|might|may|either|options?|proposed|maybe|perhaps|probably|assuming|in place|complete|working)\b/i;
const HEDGE_CHARS = 100;

/** Matches a report of what was done, as in "The fix was adding a lock" and "Fix: Added a lock". */
const DONE = /^[^:]{0,60}(?:\bwas\b|:\s+(?:\w+ed|kept|made|put|set|split|took|wrote|rewrote)\b)/i;

export interface Fix extends Draft {
  readonly isDone: boolean;
}

export function readFixes(lines: readonly ProseLine[]): Fix[] {
  return lines.flatMap((line, at): Fix[] => {
    const text = fixIn(line, lines.slice(at + 1));
    if (text === "" || UNDECIDED.test(text.slice(0, HEDGE_CHARS))) return [];
    const own = sentencesOf(line.text);
    const before = own.slice(0, Math.max(0, own.findIndex((one) => FIX.test(one))));
    const reason = reasonIn([...lines.slice(0, at), { ...line, text: before.join(" ") }]);
    return [{ ...draftOf(text, reason, "assistant"), isDone: DONE.test(text) }];
  }).slice(0, MAX_FIXES);
}

function fixIn({ kind, text }: ProseLine, below: readonly ProseLine[]): string {
  if (kind === "rule") return "";
  if (kind !== "item" && FIX_HEADING.test(text)) {
    const [first, ...rest] = below;
    const said = first?.kind === "text"
      ? withItems(sentencesOf(first.text).slice(0, MAX_FIX_SENTENCES).join(" "), rest)
      : itemsIn(below);
    return said === "" ? "" : `The fix: ${said}`;
  }
  if (kind === "heading") return "";
  const sentences = sentencesOf(text);
  const fix = sentences.find((one) => FIX.test(one) && !one.endsWith("?")) ?? "";
  return withItems(fix, fix === sentences.at(-1) ? below : []);
}

function withItems(words: string, below: readonly ProseLine[]): string {
  if (!words.endsWith(":")) return words;
  const items = itemsIn(below);
  return items === "" ? words.replace(/:$/, ".") : `${words} ${items}`;
}

function itemsIn(below: readonly ProseLine[]): string {
  const end = below.findIndex(({ kind }) => kind !== "item");
  return outline(below.slice(0, end < 0 ? undefined : end), MAX_FIX_CHARS);
}

/** Returns the start of the section below a heading such as "Root cause", or else the last sentences. */
function reasonIn(before: readonly ProseLine[]): string {
  const heading = before.findLastIndex(({ kind, text }) =>
    (kind === "heading" || kind === "label") && CAUSE_HEADING.test(text)
  );
  if (heading >= 0) {
    const below = before.slice(heading + 1);
    const end = below.findIndex(({ kind }) => kind === "heading" || kind === "rule");
    return outline(below.slice(0, end < 0 ? undefined : end), MAX_REASON_CHARS);
  }
  const start = before.findLastIndex(({ kind }) => kind === "heading" || kind === "rule");
  let left = MAX_REASON_CHARS;
  return sentencesIn(before.slice(start + 1), "text")
    .filter((one) =>
      !/[?:]$/.test(one) && one.split(" ").length >= MIN_REASON_WORDS &&
      !DECISION_CUES.narration.test(one)
    )
    .slice(-MAX_REASON_SENTENCES).toReversed()
    .filter((one) => (left -= one.length + 1) >= 0).toReversed().join(" ");
}
