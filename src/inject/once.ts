/** Notices that the user sees once per session, not with every hook that has a reason for one. */

import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from "../store/modes.ts";
import { joinPath } from "../store/paths.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";

const MAX_NOTICES = 50;

/** Claims a notice; returns true for exactly one caller per session. */
export function claimNotice(owner: StateOwner, name: string): boolean {
  // Usually the notice was already claimed, so this check avoids a lock and a write.
  if (readSessionState(owner).notices?.includes(name)) return false;
  const outcome = updateSessionState(owner, ({ notices = [] }) => {
    const isNew = !notices.includes(name) && notices.length < MAX_NOTICES;
    return isNew ? { notices: [...notices, name] } : null;
  });
  return outcome === "written";
}

/** The marker file of a notice that a user sees only once. */
function markerOf(configDir: string, name: string): string {
  return joinPath(configDir, "trimtab", "told", name);
}

/** Claims a notice that a user sees only once; returns true for exactly one session. */
export function claimForGood(configDir: string, name: string): boolean {
  try {
    Deno.mkdirSync(markerOf(configDir, ""), { recursive: true, mode: PRIVATE_FOLDER_MODE });
    const options = { createNew: true, write: true, mode: PRIVATE_FILE_MODE };
    Deno.openSync(markerOf(configDir, name), options).close();
    return true;
  } catch {
    // Already claimed, or impossible to record; without a record it would repeat every time.
    return false;
  }
}
