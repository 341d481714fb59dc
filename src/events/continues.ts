/**
 * Notes whose work a session took over, so that its checkpoints carry that on. Loaded only when it
 * takes some over.
 */

import type { StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";

/** The longest wait for another writer, in milliseconds. */
const WAIT_MS = 500;

/** Notes it; that it cannot be noted must not keep the work from the model. */
export function noteContinues(owner: StateOwner, parent: string): void {
  if (parent === "" || parent === owner.sessionId) return;
  try {
    updateSessionState(owner, () => ({ continues: parent }), { waitMs: WAIT_MS });
  } catch {
    // The model has the work all the same; only a later checkpoint will not know of it.
  }
}
