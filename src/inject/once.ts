/**
 * What the user is told once in a session, and not with every hook that runs into it.
 *
 * @module
 */

import { readSessionState, type StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";

/** A session has no more kinds of notices than this. */
const MAX_NOTICES = 50;

/** Claims a notice: of all that ask in a session, now or later, one is told to speak. */
export function claimNotice(owner: StateOwner, name: string): boolean {
  // The usual case is that it was said: no lock then, and no writing.
  if (readSessionState(owner).notices?.includes(name)) return false;
  const outcome = updateSessionState(owner, ({ notices = [] }) => {
    const isNew = !notices.includes(name) && notices.length < MAX_NOTICES;
    return isNew ? { notices: [...notices, name] } : null;
  });
  return outcome === "written";
}
