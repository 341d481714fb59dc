/** Reads the blackboard: requests to a project's sessions, each a signed line of JSON. */

import { parseObject } from "../core/record.ts";
import { checkpointedAt, type CheckpointReason } from "../store/needs_checkpoint.ts";
import { isValidSignature, type OwnPlace } from "../store/own_marks.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";
import { blackboardPath } from "./board_path.ts";

/** Small, because hooks read the blackboard after every batch of calls. */
export const MAX_BOARD_BYTES = 256 * 1024;

export const TRIGGER_TTL_MS = 60 * 60_000;

/** A request on the blackboard that asks a session to save a checkpoint. */
export interface CheckpointRequest {
  /** A random UUID. */
  readonly id: string;
  /** The only kind of message. */
  readonly type: "checkpoint_trigger";
  /** Reason for the checkpoint. */
  readonly reason: CheckpointReason;
  /** Id of the session; null for every session of the project. */
  readonly session_id: string | null;
  /** Time of the request, ISO 8601. */
  readonly timestamp: string;
  /** Percentage of the limit, a whole number from 0 to 100; null if unknown. */
  readonly percent: number | null;
}

/** Lists the requests that trimtab posted on this machine, oldest first. Other lines are skipped. */
export function readTriggers(place: OwnPlace): CheckpointRequest[] {
  const text = readOwnTextSync(blackboardPath(place.projectDir), MAX_BOARD_BYTES) ?? "";
  return text.split("\n").map((line) => triggerIn(line, place)).filter((trigger) =>
    trigger !== null
  );
}

export function openTriggers(owner: StateOwner, nowMs: number): CheckpointRequest[] {
  const savedMs = checkpointedAt(readSessionState(owner), nowMs);
  return readTriggers(owner).filter(({ session_id: to, timestamp }) => {
    // Adds a second, because the time of a checkpoint is truncated to whole seconds.
    const isAnswered = savedMs !== null && Date.parse(timestamp) < savedMs + 1000;
    const isExpired = Date.parse(timestamp) + TRIGGER_TTL_MS <= nowMs;
    return (to === null || to === owner.sessionId) && !isAnswered && !isExpired;
  });
}

/** Marks the open requests as read. Returns the most important unread one as text; null if there is none. */
export function takeTriggerText(owner: StateOwner, nowMs: number): string | null {
  const triggers = openTriggers(owner, nowMs);
  const last = triggers.at(-1)?.id;
  if (last === undefined || last === readSessionState(owner).board_read) return null;
  let unread: CheckpointRequest[] = [];
  updateSessionState(owner, ({ board_read: read }) => {
    unread = triggers.slice(triggers.findIndex(({ id }) => id === read) + 1);
    return { board_read: last };
  });
  const request = unread.findLast(({ reason }) => reason === "context_60_percent") ?? unread.at(-1);
  if (request === undefined) return null;
  const cause = request.reason === "checkpoint_stale"
    ? "much work has been done since the last checkpoint"
    : `the context is ${request.percent === null ? "filling up" : `at ${request.percent}%`}`;
  return `Run /save-checkpoint now: ${cause}. A checkpoint saves what a compaction would lose. ` +
    "Then continue your work.";
}

export function signedText(trigger: CheckpointRequest): string {
  const { id, type, reason, session_id, timestamp, percent } = trigger;
  return JSON.stringify([id, type, reason, session_id, timestamp, percent]);
}

function triggerIn(line: string, place: OwnPlace): CheckpointRequest | null {
  const fields = parseObject(line);
  if (fields === undefined) return null;
  const { mark, ...others } = fields;
  // The fields of a signed line need no check, because only trimtab has the key.
  const trigger = others as unknown as CheckpointRequest;
  return isValidSignature(place, "message", signedText(trigger), mark) ? trigger : null;
}
