/** Folders that are trimtab's own. */

import { IGNORE_EVERYTHING, IGNORE_FILES, ignoresEverything } from "../core/ignore_file.ts";
import { writeFileAtomicSync } from "./atomic.ts";
import { exists } from "./exists.ts";
import { withLockSync } from "./lock.ts";
import { PRIVATE_FOLDER_MODE } from "./modes.ts";
import { readOwnTextSync, refuseLinks, refuseOthers } from "./own_file.ts";

/** Longest wait for other writers, in milliseconds: each writes a few small files. */
const WAIT_MS = 5_000;

/** Largest ignore file of ours, in bytes. */
const MAX_IGNORE_BYTES = 64 * 1024;

/**
 * Makes a folder for files that can quote anything a session saw, and keeps git and searches from them.
 *
 * @throws {TypeError} When git would see them: its `.gitignore` is no file, or is tracked and says
 * something else.
 */
export function ensurePrivateDirSync(path: string): void {
  const ignoreFile = `${path}/${IGNORE_FILES.git}`;
  refuseLinks(path);
  if (isKeptFromGit(path)) return;
  refuseOthers(ignoreFile);
  makeFolder(path);
  writeFileAtomicSync(ignoreFile, IGNORE_EVERYTHING);
  const searchFile = `${path}/${IGNORE_FILES.search}`;
  if (!exists(searchFile)) writeFileAtomicSync(searchFile, IGNORE_EVERYTHING);
}

/** Runs a function in an own folder, exclusively among processes. */
export function aloneInFolder<T>(
  folder: string,
  { action, lock = ".lock", waitMs = WAIT_MS }: {
    /** The work, for the message that another process is at it. */
    readonly action: string;
    readonly lock?: string;
    readonly waitMs?: number | undefined;
  },
  work: () => T,
): T {
  ensurePrivateDirSync(folder);
  const path = `${folder}/${lock}`;
  const locked = withLockSync(path, work, { waitMs });
  if (locked !== null) return locked.value;
  throw new Error(`Cannot ${action}: another process holds "${path}". Try again`);
}

/** Whether git ignores all new files of a folder: a repository's own rules could include them. */
export function isKeptFromGit(folder: string): boolean {
  const path = `${folder}/${IGNORE_FILES.git}`;
  return exists(path) && ignoresEverything(readOwnTextSync(path, MAX_IGNORE_BYTES) ?? "");
}

function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    // Another process was faster, or the name belongs to something else.
    if (Deno.statSync(path).isDirectory) return;
    throw new Deno.errors.NotADirectory(
      `Cannot make folder "${path}": a file with that name exists`,
    );
  }
}
