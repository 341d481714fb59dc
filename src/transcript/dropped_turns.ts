/** Leaves out the turns that the user removed with `/trim --drop`. */

import { isFileOfSession } from "../core/marks.ts";
import { blocksOf, contentParts } from "./content.ts";
import { asString, type Entry } from "./entry.ts";
import { droppedRange } from "./in_place.ts";
import { promptWords } from "./own_words.ts";

interface Item {
  readonly entry: Entry;
}

export type TurnFilter = <T extends Item>(items: Iterable<T>) => Iterable<T>;

interface Turn<T> {
  readonly items: T[];
  readonly calls: string[];
  readonly texts: string[];
  hasAnswer: boolean;
}

/** Returns a function that checks a line; `undefined` if no note is about the transcript. */
export function droppedLinesIn(
  conversation: Iterable<Entry>,
  transcript: string,
): ((line: number) => boolean) | undefined {
  const ranges = Array.from(
    conversation,
    (entry) => textsOf(entry).flatMap((text) => droppedRange(text) ?? []),
  ).flat().filter(({ session }) => isFileOfSession(session, transcript));
  if (ranges.length === 0) return undefined;
  return (line) => ranges.some(({ from, to }) => line >= from && line <= to);
}

/**
 * Returns a function that leaves out the given turns of an earlier context, but keeps the client's own lines
 * among them, such as a boundary. It compares calls and texts, because the entries have other ids.
 */
export function turnFilter(dropped: Iterable<Entry>): TurnFilter {
  const turns = [...turnsOf(Array.from(dropped, (entry) => ({ entry })))];
  const calls = new Set(turns.flatMap((turn) => turn.calls));
  const textsWithoutCalls = new Set(turns.filter((turn) => turn.calls.length === 0).map(keyOf));
  return function* <T extends Item>(items: Iterable<T>): Generator<T> {
    for (const turn of turnsOf(items)) {
      const isDropped = turn.calls.length === 0
        ? textsWithoutCalls.has(keyOf(turn))
        : turn.calls.some((id) => calls.has(id));
      yield* isDropped ? turn.items.filter(({ entry }) => entry.type === "system") : turn.items;
    }
  };
}

/** Splits a conversation before each prompt that follows an answer. */
function* turnsOf<T extends Item>(items: Iterable<T>): Generator<Turn<T>, void, undefined> {
  let turn: Turn<T> = { items: [], calls: [], texts: [], hasAnswer: false };
  for (const item of items) {
    const { entry } = item;
    const words = promptWords(entry);
    if (words !== "" && turn.hasAnswer) {
      yield turn;
      turn = { items: [], calls: [], texts: [], hasAnswer: false };
    }
    turn.items.push(item);
    turn.hasAnswer ||= entry.type === "assistant";
    if (words !== "") turn.texts.push(words);
    else if (entry.type === "assistant") turn.texts.push(...textsOf(entry));
    turn.calls.push(
      ...blocksOf(entry).flatMap(({ type, id }) => type === "tool_use" ? asString(id) ?? [] : []),
    );
  }
  yield turn;
}

function keyOf({ texts }: Pick<Turn<unknown>, "texts">): string {
  return JSON.stringify(texts);
}

function textsOf(entry: Entry): string[] {
  if (entry.type !== "user" && entry.type !== "assistant") return [];
  return contentParts(entry).filter(({ kind }) => kind === "text").map(({ text }) => text.trim());
}
