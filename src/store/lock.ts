/** Locks between processes that change one file. */

import { PRIVATE_FILE_MODE } from "./modes.ts";
import { sleepSync } from "./sleep.ts";
import { refuseOthers } from "./own_file.ts";

/** How long a lock is waited for, unless the caller says otherwise, in milliseconds: a hook's patience. */
const LOCK_WAIT_MS = 50;

/** How long a waiting process sleeps before it tries again, in milliseconds. */
const RETRY_MS = 2;

/** What {@linkcode withLockSync} can be told. */
export interface LockOptions {
  /** How long to wait for the lock, in milliseconds. @default {LOCK_WAIT_MS} */
  readonly waitMs?: number;
}

/** What came of the work that was done under a lock. */
interface Locked<T> {
  /** What the work returned. */
  readonly value: T;
}

/** Does some work while no other process does the same under the same lock. */
export function withLockSync<T>(
  path: string,
  work: () => T,
  options: LockOptions = {},
): Locked<T> | null {
  // To open a link would make a file wherever it leads.
  refuseOthers(path);
  using file = Deno.openSync(path, {
    read: true,
    write: true,
    create: true,
    mode: PRIVATE_FILE_MODE,
  });
  if (!isLockedWithin(file, path, options.waitMs ?? LOCK_WAIT_MS)) return null;
  return { value: work() };
}

function isLockedWithin(file: Deno.FsFile, path: string, waitMs: number): boolean {
  const deadline = performance.now() + waitMs;
  while (!isLocked(file, path)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    sleepSync(Math.min(RETRY_MS, left));
  }
  return true;
}

function isLocked(file: Deno.FsFile, path: string): boolean {
  try {
    return file.tryLockSync(true);
  } catch (error) {
    // Some network drives have no locks; the system's message does not name the file.
    if (error instanceof Error) error.message = `Cannot lock "${path}": ${error.message}`;
    throw error;
  }
}
