/**
 * What the user is told once in a session, and not with every hook that runs into it.
 *
 * @module
 */

import { readSessionState, type StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";

/** A session has no more kinds of notices than this. */
const MAX_NOTICES = 50;

/**
 * Claims a notice: of all that ask in a session, now or later, one is told to speak.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/trimtab`.
 *
 * @param owner The project and the session.
 * @param name What the notice is about, in a word.
 * @returns Whether to speak.
 * @throws {RangeError} When the session's id is none.
 * @throws {Error} Whatever the system says when it cannot be written down.
 *
 * @example
 * ```ts
 * import { claimNotice } from "./once.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const owner = { projectDir, sessionId: "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10" };
 * assertEquals(claimNotice(owner, "config"), true);
 * assertEquals(claimNotice(owner, "config"), false);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function claimNotice(owner: StateOwner, name: string): boolean {
  // The usual case is that it was said: no lock then, and no writing.
  if (readSessionState(owner).notices?.includes(name)) return false;
  const outcome = updateSessionState(owner, ({ notices = [] }) => {
    const isNew = !notices.includes(name) && notices.length < MAX_NOTICES;
    return isNew ? { notices: [...notices, name] } : null;
  });
  return outcome === "written";
}
