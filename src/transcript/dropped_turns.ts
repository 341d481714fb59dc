/** Leaves out the turns that the user removed with `/trim --drop`. */

import { isFileOfSession } from "../core/marks.ts";
import { blocksOf, contentParts } from "./content.ts";
import { asString, type Entry } from "./entry.ts";
import { droppedRange } from "./in_place.ts";
import { promptWords } from "./own_words.ts";

/** Identifies removed turns in an earlier context, whose entries have other ids. */
export interface DroppedTurns {
  readonly calls: ReadonlySet<string>;
  readonly textsWithoutCalls: ReadonlySet<string>;
}

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

export function readDropped(entries: Iterable<Entry>): DroppedTurns {
  const turns = [...turnsOf(Array.from(entries, (entry) => ({ entry })))];
  return {
    calls: new Set(turns.flatMap(({ calls }) => calls)),
    textsWithoutCalls: new Set(turns.filter(({ calls }) => calls.length === 0).map(keyOf)),
  };
}

/** Leaves out the removed turns, but not the client's own lines among them, such as a boundary. */
export function* withoutDropped<T extends { readonly entry: Entry }>(
  items: Iterable<T>,
  dropped: DroppedTurns,
): Generator<T, void, undefined> {
  for (const turn of turnsOf(items)) {
    const isDropped = turn.calls.length === 0
      ? dropped.textsWithoutCalls.has(keyOf(turn))
      : turn.calls.some((id) => dropped.calls.has(id));
    yield* isDropped ? turn.items.filter(({ entry }) => entry.type === "system") : turn.items;
  }
}

/** Splits a conversation before each prompt that follows an answer. */
function* turnsOf<T extends { readonly entry: Entry }>(
  items: Iterable<T>,
): Generator<Turn<T>, void, undefined> {
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
