/** What a project's blackboard has for a session. Loaded only where there is a blackboard. */

import { acknowledgeCheckpoint, deliver } from "../src/watch/delivery.ts";
import type { SessionState, StateOwner } from "../src/store/state.ts";

/** Takes what was posted for a session, and says that what it was asked for is done. */
export function readBoard(owner: StateOwner, state: SessionState, nowMs: number): string | null {
  const savedMs = Date.parse(state.last_checkpoint?.created ?? "");
  if (Number.isFinite(savedMs)) acknowledgeCheckpoint(owner, savedMs);
  return deliver(owner, nowMs);
}
