/** Giving a session what was posted for it. Hooks load this. */

import { readSessionState, type StateOwner } from "../store/state.ts";
import { checkpointedAt } from "./activity.ts";
import {
  acknowledgeTaken,
  type BoardMessage,
  CHECKPOINT_TRIGGER,
  claimPending,
  hasTaken,
} from "./blackboard.ts";
import type { CheckpointReason } from "./needs_checkpoint.ts";

/** The time of a checkpoint is kept in whole seconds. */
const SECOND_MS = 1000;

const REASONS: readonly CheckpointReason[] = ["context_60_percent", "checkpoint_stale"];

const GO_ON = "It saves what a compaction would lose. Then go on with what you were doing.";

/** Takes from the blackboard what asks a session for a checkpoint, and words it for the model. */
export function deliver(owner: StateOwner, nowMs: number): string | null {
  const { sessionId, ...place } = owner;
  let savedMs: number | null | undefined;
  const isDone = (message: BoardMessage): boolean => {
    savedMs ??= checkpointedAt(readSessionState(owner), nowMs);
    return isAnswered(message, savedMs);
  };
  const taken = claimPending(sessionId, { ...place, nowMs, accepts: isTrigger, isDone });
  const open = taken.filter((message) => !isDone(message));
  // Whoever is asked twice saves once.
  const said = REASONS.map((reason) => open.findLast(({ payload }) => payload.reason === reason))
    .find((message) => message !== undefined);
  return said === undefined ? null : wordsOf(said);
}

/** Says that a session has done what it was asked for, once it has saved a checkpoint. */
export function acknowledgeCheckpoint(owner: StateOwner, checkpointCreatedMs: number): number {
  const { sessionId, ...place } = owner;
  return acknowledgeTaken(
    sessionId,
    (message) => isTrigger(message) && isAnswered(message, checkpointCreatedMs),
    { ...place, nowMs: checkpointCreatedMs },
  );
}

export function isAskedToSave(owner: StateOwner, nowMs: number): boolean {
  const { sessionId, ...place } = owner;
  const savedMs = checkpointedAt(readSessionState(owner), nowMs);
  const isWaiting = (message: BoardMessage): boolean =>
    isTrigger(message) && !isAnswered(message, savedMs);
  return hasTaken(sessionId, isWaiting, { ...place, nowMs });
}

/** Messages of other types are for whoever posts and reads them. */
function isTrigger({ type, payload }: BoardMessage): boolean {
  return type === CHECKPOINT_TRIGGER && REASONS.some((reason) => reason === payload.reason);
}

function isAnswered({ created }: BoardMessage, savedMs: number | null): boolean {
  const askedMs = Math.floor(Date.parse(created) / SECOND_MS) * SECOND_MS;
  return savedMs !== null && askedMs <= savedMs;
}

function wordsOf({ payload: { reason, percent } }: BoardMessage): string {
  if (reason === "checkpoint_stale") {
    return `Run /save-checkpoint now: there was much work since the last one. ${GO_ON}`;
  }
  const isPercent = typeof percent === "number" && Number.isInteger(percent) &&
    percent >= 0 && percent <= 100;
  const place = isPercent ? `at ${percent}%` : "filling up";
  return `Run /save-checkpoint now: the context is ${place}. ${GO_ON}`;
}
