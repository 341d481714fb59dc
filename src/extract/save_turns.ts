/** Leaves out turns in which the user only asked for a save, because such turns are not work to continue. */

import { isObject, type JsonObject } from "../core/record.ts";
import type { OpenCall } from "../core/work_state.ts";
import { isOwnCall } from "../inject/outcome.ts";
import { blocksOf, queuedPrompt } from "../transcript/content.ts";
import { asString, type NumberedEntry } from "../transcript/entry.ts";
import { ownWords } from "../transcript/own_words.ts";

/** A turn with more entries counts as work. */
const MAX_ENTRIES = 60;

/** Matches a prompt that asks for nothing but a save or a handoff, such as "please save our progress". */
const SAVE_REQUEST =
  /^\W*(?:(?:please|ok(?:ay)?|now|great|good|thanks|thank you|can you|could you|let'?s|let us)\b[\s,]*)*(?:save|take|make|create|write|do|run|hand|roll|checkpoint|snapshot)\b(?=[^]*\b(?:checkpoint|snapshot|hand(?:ing)?[ -]?(?:over|off)|roll[ -]?over|progress|session|context|state)\b|\s*\W*$)[^.,;:\n]{0,80}[.!?]?\s*$/i;

/**
 * Leaves out each turn that starts with a save request, and in which the model called a command or skill of
 * trimtab and nothing else.
 */
export function* withoutSaveTurns(
  entries: Iterable<NumberedEntry>,
): Generator<NumberedEntry, void, undefined> {
  let turn: NumberedEntry[] = [];
  let hasSaved = false;
  for (const one of entries) {
    const calls = callsIn(one);
    if (turn.length > 0) {
      const isWork = turn.length === MAX_ENTRIES || calls.some((call) => !isOwnCall(call));
      if (isWork || promptIn(one) !== "") {
        if (isWork || !hasSaved) yield* turn;
        turn = [];
      }
    }
    if (turn.length === 0) hasSaved = false;
    if (turn.length > 0 || SAVE_REQUEST.test(promptIn(one))) turn.push(one);
    else yield one;
    hasSaved ||= calls.length > 0;
  }
  if (!hasSaved) yield* turn;
}

/** Returns the words of a prompt; empty for any other entry. */
function promptIn({ entry }: NumberedEntry): string {
  if (entry.isSidechain || entry.raw.isMeta === true) return "";
  const queued = queuedPrompt(entry);
  if (queued !== undefined) return ownWords(queued);
  if (entry.type !== "user") return "";
  const content = entry.message?.content;
  if (typeof content === "string") return ownWords(content);
  const blocks = blocksOf(entry);
  if (blocks.some(({ type }) => type === "tool_result")) return "";
  return blocks.map(({ text }) => ownWords(asString(text) ?? "")).join("\n").trim();
}

function callsIn({ entry, line }: NumberedEntry): OpenCall[] {
  if (entry.type !== "assistant") return [];
  const from = { uuid: entry.uuid ?? null, line };
  const calls = blocksOf(entry).filter(({ type }) => type === "tool_use");
  return calls.map(({ name, input }: JsonObject) => ({
    name: asString(name) ?? "",
    input: isObject(input) ? input : {},
    isSidechain: entry.isSidechain,
    from,
  }));
}
