/** Lets only one hook show a notice, once per session or once per user. */

import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from "../store/modes.ts";
import { joinPath } from "../store/paths.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";

const MAX_NOTICES = 50;

/** Returns true for at most one caller per session and name; false also if the lock stays busy. */
export function claimNotice(owner: StateOwner, name: string): boolean {
  // Most notices were claimed before, so this check usually avoids a lock and a write.
  if (readSessionState(owner).notices?.includes(name)) return false;
  const outcome = updateSessionState(owner, ({ notices = [] }) => {
    const canClaim = !notices.includes(name) && notices.length < MAX_NOTICES;
    return canClaim ? { notices: [...notices, name] } : null;
  });
  return outcome === "written";
}

/** Returns true for at most one caller per user and name. */
export function claimOncePerUser(configDir: string, name: string): boolean {
  try {
    const folder = joinPath(configDir, "trimtab", "told");
    Deno.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    const options = { createNew: true, write: true, mode: PRIVATE_FILE_MODE };
    Deno.openSync(joinPath(folder, name), options).close();
    return true;
  } catch {
    // The notice was shown before, or it cannot be recorded and would be shown every time.
    return false;
  }
}
