/** Finds the fix that the assistant states before it edits a file. */

import { type Draft, draftOf, REASON } from "./draft.ts";
import { type ProseLine, sentencesOf } from "../inject/prose.ts";

/** Matches a stated fix, such as "The fix is to load the settings first". */
const FIX =
  /^(?:the |my )(?:fix|solution)\b(?:(?: is)?(?: \w+)?:| is to| is) ((?!(?:in|on) place\b)\S.*)$/i;
const FIX_LABEL = /^(?:the |my )?(?:fix|solution):?$/i;

/** Matches a fix that only announces or praises itself. */
const EMPTY =
  /^(?:(?:\w+ )?(?:correct|complete|done|working|simple|straightforward|easy|trivial|good|in place)\b|let me\b|I(?:'ll| need)\b)/i;

const MAX_FIX_CHARS = 400;
const MIN_WORDS = 4;

/** Returns the last fix that a message states. */
export function fixIn(lines: readonly ProseLine[]): Draft | undefined {
  const fixes = lines.flatMap(({ kind, text }, index) => {
    if (kind === "rule") return [];
    const before = lines[index - 1]?.text ?? "";
    const [first = ""] = sentencesOf(text);
    if (FIX_LABEL.test(before) && kind === "text") return [first];
    return sentencesOf(text).flatMap((one) => FIX.exec(one)?.[1] ?? []);
  }).filter((fix) =>
    fix.split(" ").length >= MIN_WORDS && fix.length <= MAX_FIX_CHARS && !EMPTY.test(fix) &&
    !fix.endsWith("?")
  );
  const fix = fixes.at(-1)?.replace(/:$/, "");
  if (fix === undefined) return undefined;
  return draftOf(`The fix: ${fix}`, REASON.exec(fix)?.[1] ?? "", "assistant");
}
