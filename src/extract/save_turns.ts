/** Marks turns in which the user only asked for a save, because such turns contain no work to continue. */

import { isObject } from "../core/record.ts";
import { isOwnCall } from "../inject/outcome.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString, type NumberedEntry } from "../transcript/entry.ts";
import { promptWords } from "../transcript/own_words.ts";

/** A turn with more entries counts as work. */
const MAX_ENTRIES = 60;

/** Matches a prompt that asks only for a save or a handoff, such as "please save our progress". */
const SAVE_REQUEST =
  /^\W*(?:(?:please|ok(?:ay)?|now|great|good|thanks|thank you|can you|could you|let'?s|let us)\b[\s,]*)*(?:save|take|make|create|write|do|run|hand|roll|checkpoint|snapshot)\b(?=[^]*\b(?:checkpoint|snapshot|hand(?:ing)?[ -]?(?:over|off)|roll[ -]?over|progress|session|context|state)\b|\s*\W*$)[^.,;:\n]{0,80}[.!?]?\s*$/i;

/**
 * Marks each turn that starts with a request to save, if all calls in it are commands or skills of trimtab. A
 * turn without calls is not marked.
 */
export function* markSaveTurns(
  entries: Iterable<NumberedEntry>,
): Generator<NumberedEntry, void, undefined> {
  const turn: NumberedEntry[] = [];
  let hasSaved = false;
  const endTurn = (isSave: boolean): NumberedEntry[] =>
    turn.splice(0).map((one) => isSave ? { ...one, isSave } : one);
  for (const one of entries) {
    const words = promptWords(one.entry);
    const calls = callsIn(one);
    const isWork = turn.length === MAX_ENTRIES || calls.some((call) => !isOwnCall(call));
    if (isWork || words !== "") {
      yield* endTurn(hasSaved && !isWork);
      hasSaved = false;
    }
    if (turn.length === 0 && !SAVE_REQUEST.test(words)) {
      yield one;
      continue;
    }
    turn.push(one);
    hasSaved ||= calls.length > 0;
  }
  yield* endTurn(hasSaved);
}

function callsIn({ entry }: NumberedEntry): Parameters<typeof isOwnCall>[0][] {
  if (entry.type !== "assistant") return [];
  return blocksOf(entry).filter(({ type }) => type === "tool_use").map(({ name, input }) => ({
    name: asString(name) ?? "",
    input: isObject(input) ? input : {},
  }));
}
