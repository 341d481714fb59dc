/** Changes a session's state. Most hooks only read it and do not load this file. */

import { writeFileAtomicSync } from "./atomic.ts";
import { type LockOptions, withLockSync } from "./lock.ts";
import { joinPath } from "./paths.ts";
import { ensureOwnFolder } from "./private_dir.ts";
import {
  currentState,
  readStateFile,
  type SessionState,
  sessionStatePath,
  stateFolder,
  type StateOwner,
} from "./state.ts";

/** A null value removes the field. */
export type StateChange = {
  readonly [Field in keyof SessionState]?: SessionState[Field] | null;
};

type StateOutcome =
  | "written"
  | "unchanged"
  /** Another process held the lock for too long, so the state is unchanged. */
  | "busy";

/** All sessions share one lock, because it is held only briefly. */
const LOCK_NAME = ".lock";

const RECORD_WAIT_MS = 500;

/** Ignores errors, because the next caller tries again. */
export function recordState(owner: StateOwner, change: StateChange): void {
  try {
    updateSessionState(owner, () => change, { waitMs: RECORD_WAIT_MS });
  } catch {
    // The project may be read-only.
  }
}

export function updateSessionState(
  owner: StateOwner,
  change: (state: SessionState) => StateChange | null,
  options: LockOptions = {},
): StateOutcome {
  const path = sessionStatePath(owner);
  if (path === null) {
    throw new RangeError(
      `Cannot save state: ${JSON.stringify(owner.sessionId)} is not the id of a session`,
    );
  }
  Deno.statSync(owner.projectDir);
  const folder = stateFolder(owner.projectDir);
  ensureOwnFolder(owner.projectDir, folder);
  return withLockSync(joinPath(folder, LOCK_NAME), (): StateOutcome => {
    const raw = readStateFile(path, true);
    const wanted = change(currentState(owner, raw));
    if (wanted === null) return "unchanged";
    const fields = Object.entries({ ...raw, ...wanted })
      .filter(([field]) => Object(wanted)[field] !== null);
    const text = `${JSON.stringify(Object.fromEntries(fields))}\n`;
    if (text === `${JSON.stringify(raw)}\n`) return "unchanged";
    // On a busy disk, a sync can take longer than a hook waits for the lock.
    writeFileAtomicSync(path, text, { isSynced: false });
    return "written";
  }, options) ?? "busy";
}
