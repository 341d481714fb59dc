import { infoOf, removeFile } from "./exists.ts";
import { PRIVATE_FILE_MODE } from "./modes.ts";
import { sleepSync } from "./sleep.ts";
import { refuseNonFiles } from "./own_file.ts";

/** Short, because a hook may wait for the lock. */
const LOCK_WAIT_MS = 50;

const RETRY_MS = 2;

/** On a file system without locks, a lock file older than this was probably left by a killed process. */
const MAX_HELD_MS = 60_000;

export interface LockOptions {
  readonly waitMs?: number;
}

export function withLockSync<T>(path: string, work: () => T, options: LockOptions = {}): T | null {
  // Opening a link would create a file at its target.
  refuseNonFiles(path);
  using file = Deno.openSync(path, {
    read: true,
    write: true,
    create: true,
    mode: PRIVATE_FILE_MODE,
  });
  using lock = lockWithTimeout(file, path, options.waitMs ?? LOCK_WAIT_MS);
  return lock === null ? null : work();
}

function lockWithTimeout(file: Deno.FsFile, path: string, waitMs: number): Disposable | null {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(file, path);
    const remainingMs = deadline - performance.now();
    if (lock !== null || remainingMs <= 0) return lock;
    sleepSync(Math.min(RETRY_MS, remainingMs));
  }
}

function tryLock(file: Deno.FsFile, path: string): Disposable | null {
  try {
    return file.tryLockSync(true) ? { [Symbol.dispose]: () => unlock(file) } : null;
  } catch (error) {
    if (isLockingUnsupported(error)) return createLockFile(`${path}.held`);
    // The system's message does not name the file.
    if (error instanceof Error) error.message = `Cannot lock "${path}": ${error.message}`;
    throw error;
  }
}

/**
 * Releases the lock before the file is closed. Closing the file alone might not release the lock: if another
 * thread is starting a process, that process also has the file open until it executes its program.
 */
function unlock(file: Deno.FsFile): void {
  try {
    file.unlockSync();
  } catch {
    // Closing the file releases the lock as well.
  }
}

/** Whether an error means that the file system lacks locks, as some network drives do. */
function isLockingUnsupported(error: unknown): boolean {
  return error instanceof Error &&
    /no locks available|not supported|not implemented/i.test(error.message);
}

function createLockFile(path: string): Disposable | null {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: PRIVATE_FILE_MODE }).close();
    return { [Symbol.dispose]: () => removeFile(path) };
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  // The system does not remove the lock file of a killed process.
  const takenMs = infoOf(path)?.mtime?.getTime() ?? Date.now();
  if (Date.now() - takenMs > MAX_HELD_MS) removeFile(path);
  return null;
}
