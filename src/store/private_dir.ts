import { IGNORE_EVERYTHING, IGNORE_FILES, ignoresEverything } from "../core/ignore_file.ts";
import { writeFileAtomicSync } from "./atomic.ts";
import { exists } from "./exists.ts";
import { withLockSync } from "./lock.ts";
import { PRIVATE_FOLDER_MODE } from "./modes.ts";
import { readOwnTextSync, refuseLinks, refuseNonFiles } from "./own_file.ts";
import { ownFolder } from "./paths.ts";

/** Longest wait for other processes. Each of them writes only a few small files. */
const WAIT_MS = 5_000;

const MAX_IGNORE_BYTES = 64 * 1024;

/**
 * Hides the folder from git and search tools, because its files can quote any content of a session.
 *
 * @throws {TypeError} When the path leads through a link, its `.gitignore` is not a file, or git tracks a
 * `.gitignore` that does not ignore everything.
 */
export function ensurePrivateDirSync(path: string): void {
  const ignoreFile = `${path}/${IGNORE_FILES.git}`;
  refuseLinks(path);
  if (isHiddenFromGit(path)) return;
  refuseNonFiles(ignoreFile);
  makeFolder(path);
  writeFileAtomicSync(ignoreFile, IGNORE_EVERYTHING);
  const searchFile = `${path}/${IGNORE_FILES.search}`;
  if (!exists(searchFile)) writeFileAtomicSync(searchFile, IGNORE_EVERYTHING);
}

/** Creates `.claude/trimtab` first, because its ignore files also cover `folder`. */
export function ensureOwnFolder(projectDir: string, folder: string): void {
  ensurePrivateDirSync(ownFolder(projectDir));
  refuseLinks(folder);
  makeFolder(folder);
}

export function withFolderLock<T>(
  folder: string,
  { action, lock = ".lock", waitMs = WAIT_MS }: {
    /** A verb phrase for an error message. */
    readonly action: string;
    readonly lock?: string;
    readonly waitMs?: number | undefined;
  },
  work: () => T,
): T {
  ensurePrivateDirSync(folder);
  const path = `${folder}/${lock}`;
  const locked = withLockSync(path, () => ({ value: work() }), { waitMs });
  if (locked !== null) return locked.value;
  throw new Error(`Cannot ${action}: another process holds "${path}". Try again`);
}

export function isHiddenFromGit(folder: string): boolean {
  const path = `${folder}/${IGNORE_FILES.git}`;
  return exists(path) && ignoresEverything(readOwnTextSync(path, MAX_IGNORE_BYTES) ?? "");
}

function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    // Another process has created the folder, or a file has that name.
    if (Deno.statSync(path).isDirectory) return;
    throw new Deno.errors.NotADirectory(
      `Cannot make folder "${path}": a file with that name exists`,
    );
  }
}
