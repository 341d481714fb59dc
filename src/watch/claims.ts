/**
 * Taking messages from the blackboard, each by one agent.
 *
 * @module
 */

import {
  appendLines,
  atBlackboard,
  type BoardPlace,
  readLinesFrom,
  readLinesWith,
} from "./board_file.ts";
import { blackboardPath } from "./board_path.ts";
import { foldLines, isOpen, type MessageState } from "./board_state.ts";
import type { BoardMessage, MarkLine } from "./message.ts";

/** Whose blackboard, and when. */
export interface ClaimOptions extends BoardPlace {
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** A message for any session stands in a line with one of these: others write JSON with spaces. */
const TO_ANY = ['"to":null', '"to": null'];

/** Lists what a session may take: open messages for it or for any, that nobody has taken. */
export function pendingFor(
  sessionId: string,
  options: Pick<ClaimOptions, "projectDir" | "nowMs">,
): BoardMessage[] {
  return pendingIn(blackboardPath(options.projectDir), sessionId, options.nowMs);
}

/** Takes a message. Of all that ask, one gets it. */
export function claim(id: string, by: string, options: ClaimOptions): boolean {
  const locked = atBlackboard(options, (path) => {
    const state = stateOf(path, id);
    if (state === undefined || state.claim !== null || !isOpen(state, options.nowMs)) return false;
    appendLines(path, [markOf("claim", id, by, options.nowMs)]);
    return true;
  });
  return locked?.value ?? false;
}

/** What {@linkcode claimPending} takes. */
export interface ClaimPendingOptions extends ClaimOptions {
  /** Tells of a message whether to take it. @default all */
  readonly accepts?: (message: BoardMessage) => boolean;
  /** Tells of a message that is taken whether it is done already. @default none */
  readonly isDone?: (message: BoardMessage) => boolean;
}

/** Takes all that a session may take, in one go. */
export function claimPending(sessionId: string, options: ClaimPendingOptions): BoardMessage[] {
  const { nowMs, accepts = (): boolean => true, isDone = (): boolean => false } = options;
  // Mostly there is nothing, and then no lock is taken.
  if (!pendingFor(sessionId, options).some(accepts)) return [];
  const locked = atBlackboard(options, (path) => {
    const taken = pendingIn(path, sessionId, nowMs).filter(accepts);
    const marks = taken.flatMap((message) => [
      markOf("claim", message.id, sessionId, nowMs),
      ...(isDone(message) ? [markOf("ack", message.id, sessionId, nowMs)] : []),
    ]);
    if (marks.length > 0) appendLines(path, marks);
    return taken;
  });
  return locked?.value ?? [];
}

/** Says that what a message asks for is done. */
export function acknowledge(id: string, by: string, options: ClaimOptions): boolean {
  const locked = atBlackboard(options, (path) => {
    const state = stateOf(path, id);
    if (state === undefined || state.ack !== null) return false;
    appendLines(path, [markOf("ack", id, by, options.nowMs)]);
    return true;
  });
  return locked?.value ?? false;
}

/** Says of all messages that a session has taken whether they are done. */
export function acknowledgeTaken(
  sessionId: string,
  isDone: (message: BoardMessage) => boolean,
  options: ClaimOptions,
): number {
  const done = (path: string): MessageState[] => {
    const states = foldLines(readLinesFrom(path, [quoted(sessionId), ...TO_ANY])).values();
    return [...states].filter((state) =>
      state.claim?.by === sessionId && state.ack === null && isDone(state.message)
    );
  };
  if (done(blackboardPath(options.projectDir)).length === 0) return 0;
  const locked = atBlackboard(options, (path) => {
    const found = done(path);
    const marks = found.map(({ message }) => markOf("ack", message.id, sessionId, options.nowMs));
    if (marks.length > 0) appendLines(path, marks);
    return marks.length;
  });
  return locked?.value ?? 0;
}

function pendingIn(path: string, sessionId: string, nowMs: number): BoardMessage[] {
  // What became of a message stands behind it.
  const lines = readLinesFrom(path, [quoted(sessionId), ...TO_ANY]);
  const open = [...foldLines(lines).values()].filter((state) =>
    state.claim === null && isOpen(state, nowMs)
  );
  return open.map(({ message }) => message)
    .filter(({ to }) => to === null || to === sessionId);
}

function stateOf(path: string, id: string): MessageState | undefined {
  return foldLines(readLinesWith(path, quoted(id))).get(id);
}

/** How a name stands in a line. */
function quoted(name: string): string {
  return JSON.stringify(name);
}

function markOf(kind: MarkLine["kind"], id: string, by: string, nowMs: number): MarkLine {
  return { kind, id, by, at: new Date(nowMs).toISOString() };
}
