/**
 * What became of the messages of a blackboard.
 *
 * @module
 */

import type { BoardLine, BoardMessage, MarkLine } from "./message.ts";

/** A message and what became of it. */
export interface MessageState {
  /** The message. */
  readonly message: BoardMessage;
  /** Who has taken it; null while nobody has. */
  readonly claim: MarkLine | null;
  /** Who says that it is done; null while nobody does. */
  readonly ack: MarkLine | null;
}

/** Puts lines together to messages. Of several claims of one message the first counts. */
export function foldLines(lines: Iterable<BoardLine>): Map<string, MessageState> {
  const states = new Map<string, MessageState>();
  for (const line of lines) {
    if (line.kind === "header") continue;
    if (line.kind === "message") {
      const { message } = line;
      // An id that stands twice is a mistake of its writer; the claims are about the first.
      if (!states.has(message.id)) states.set(message.id, { message, claim: null, ack: null });
      continue;
    }
    const state = states.get(line.id);
    if (state === undefined || state[line.kind] !== null) continue;
    states.set(line.id, { ...state, [line.kind]: line });
  }
  return states;
}

/** Tells whether a message is still of use to anybody. */
export function isOpen({ message, ack }: MessageState, nowMs: number): boolean {
  return ack === null && nowMs < Date.parse(message.expires);
}
