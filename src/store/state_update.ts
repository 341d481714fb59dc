/** Changes a session's state; apart from reading, since hooks seldom write. */

import { PRIVATE_FOLDER_MODE } from "./modes.ts";
import { type AtomicFile, type AtomicFileSystem, writeFileAtomicSync } from "./atomic.ts";
import { type LockOptions, withLockSync } from "./lock.ts";
import { joinPath } from "./paths.ts";
import { ensurePrivateDirSync } from "./private_dir.ts";
import {
  currentState,
  readStateFile,
  type SessionState,
  sessionStatePath,
  stateFolder,
  type StateOwner,
} from "./state.ts";
import { refuseLinks } from "./own_file.ts";

/** Changes to a state; a field that is null is removed. */
export type StateChange = {
  readonly [Field in keyof SessionState]?: SessionState[Field] | null;
};

type StateOutcome =
  | "written"
  | "unchanged"
  /** Another process was at it for too long: nothing was changed. */
  | "busy";

/** Does not wait for the disk: on a busy one that takes longer than a hook waits for the lock. */
const UNSYNCED: AtomicFileSystem = {
  openSync: openUnsynced,
  renameSync: (from, to) => Deno.renameSync(from, to),
  removeSync: (path) => Deno.removeSync(path),
};

/** One for all sessions: it is held for a few system calls. */
const LOCK_NAME = ".lock";

/** The longest wait for other writers, in milliseconds. */
const NOTE_WAIT_MS = 500;

/** Stores a change that nothing depends on: if it fails, the next caller looks again. */
export function noteState(owner: StateOwner, change: StateChange): void {
  try {
    updateSessionState(owner, () => change, { waitMs: NOTE_WAIT_MS });
  } catch {
    // A project that cannot be written to.
  }
}

/** Changes a session's state, so that no other process's change is lost. */
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
  ensurePrivateDirSync(joinPath(owner.projectDir, ".claude", "trimtab"));
  refuseLinks(folder);
  Deno.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const locked = withLockSync(joinPath(folder, LOCK_NAME), () => {
    const raw = readStateFile(path, true);
    const wanted = change(currentState(owner, raw));
    if (wanted === null) return "unchanged";
    const text = `${JSON.stringify(merged(raw, wanted))}\n`;
    if (text === `${JSON.stringify(raw)}\n`) return "unchanged";
    writeFileAtomicSync(path, text, { fs: UNSYNCED });
    return "written";
  }, options);
  return locked === null ? "busy" : locked.value;
}

function merged(raw: Record<string, unknown>, change: StateChange): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...raw };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete fields[field];
    else if (value !== undefined) fields[field] = value;
  }
  return fields;
}

function openUnsynced(path: string, options: Deno.OpenOptions): AtomicFile {
  const file = Deno.openSync(path, options);
  return {
    writeSync: (bytes) => file.writeSync(bytes),
    syncSync: () => {},
    close: () => file.close(),
  };
}
