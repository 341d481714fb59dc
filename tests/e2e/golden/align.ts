/** Compares a request with the active context, block by block and in order. */

import { charsOfBlock, type ContextBlock, isSameJson, type SentBlock } from "./blocks.ts";
import {
  ADDED,
  type ContextPosition,
  DROPPED,
  MOVED,
  type Rewording,
  REWRITTEN,
} from "./exceptions.ts";

const MAX_SHOWN_CHARS = 300;

export interface Alignment {
  difference: string | null;
  /** Blocks of the context that were found in the request, in the request's order. */
  found: ContextBlock[];
  used: Set<string>;
  /** Characters sent, without the client's own additions. */
  sentChars: number;
  droppedChars: number;
}

interface Progress extends ContextPosition {
  ahead: ContextBlock[];
  found: ContextBlock[];
  result: Alignment;
}

export function align(sent: readonly SentBlock[], context: readonly ContextBlock[]): Alignment {
  const found: ContextBlock[] = [];
  const result: Alignment = {
    difference: null,
    found,
    used: new Set(),
    sentChars: 0,
    droppedChars: 0,
  };
  const progress: Progress = { ahead: [...context], found, context, result };
  for (const [index, block] of sent.entries()) {
    while (!takeFound(progress, block)) {
      if (takeDropped(progress)) continue;
      if (passAdded(progress, block)) break;
      return { ...result, difference: differenceAt(index, block, progress.ahead[0]) };
    }
  }
  while (takeDropped(progress));
  const [missing] = progress.ahead;
  if (missing === undefined) return result;
  return { ...result, difference: differenceAt(sent.length, undefined, missing) };
}

/** Takes the block of the context that corresponds to a sent block; false if the context has none. */
function takeFound(progress: Progress, sent: SentBlock): boolean {
  const { ahead, result } = progress;
  const candidates = [
    { block: ahead[0], name: undefined },
    ...MOVED.map((exception) => ({ block: exception.pick(sent, progress), name: exception.name })),
  ];
  for (const { block, name } of candidates) {
    if (block === undefined || block.role !== sent.role) continue;
    const reshaped = compare(progress, sent, block);
    if (reshaped === null) continue;
    if (name !== undefined) result.used.add(name);
    result.sentChars += charsOfBlock(sent.block) - reshaped.addedChars;
    for (const taken of [block, ...reshaped.with ?? []]) take(progress, taken);
    return true;
  }
  return false;
}

function compare(progress: Progress, sent: SentBlock, block: ContextBlock): Rewording | null {
  if (block.reminder === undefined && isSameJson(sent.block, block.block)) return { addedChars: 0 };
  for (const exception of REWRITTEN) {
    const reshaped = exception.matches(sent, block, progress);
    if (reshaped === null) continue;
    progress.result.used.add(exception.name);
    return reshaped;
  }
  return null;
}

function take({ ahead, found }: Progress, block: ContextBlock): void {
  found.push(...ahead.splice(ahead.indexOf(block), 1));
}

function takeDropped({ ahead, found, context, result }: Progress): boolean {
  const [block] = ahead;
  if (block === undefined) return false;
  const exception = DROPPED.find((each) => each.matches(block, { ahead, found, context }));
  if (exception === undefined) return false;
  result.used.add(exception.name);
  result.droppedChars += charsOfBlock(block.block);
  ahead.shift();
  return true;
}

function passAdded(progress: Progress, sent: SentBlock): boolean {
  const exception = ADDED.find((each) => each.matches(sent, progress));
  if (exception !== undefined) progress.result.used.add(exception.name);
  return exception !== undefined;
}

function differenceAt(
  index: number,
  sent: SentBlock | undefined,
  block: ContextBlock | undefined,
): string {
  const expected = sent === undefined ? "nothing more" : `${sent.role} ${cut(sent.block)}`;
  const computed = block === undefined
    ? "nothing more"
    : `${block.role} ${cut(block.reminder ?? block.block)} of entry ${block.entry.uuid}`;
  return `block ${index}: sent is ${expected}, computed is ${computed}`;
}

function cut(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN_CHARS ? `${json.slice(0, MAX_SHOWN_CHARS)}...` : json;
}
