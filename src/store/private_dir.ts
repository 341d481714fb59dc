/** Folders that are trimtab's own. */

import { PRIVATE_FOLDER_MODE } from "./modes.ts";
import { writeFileAtomicSync } from "./atomic.ts";
import { exists } from "./exists.ts";
import { readOwnTextSync, refuseLinks } from "./own_file.ts";

/** Tells git to leave out everything here, the file itself too. */
const IGNORE_EVERYTHING = "*\n";

/** No ignore file of ours is larger, in bytes. */
const MAX_IGNORE_BYTES = 64 * 1024;

/** Makes a folder for files that can quote anything a session saw. */
export function ensurePrivateDirSync(path: string): void {
  const ignoreFile = `${path}/.gitignore`;
  refuseLinks(path);
  if (isKeptFromGit(path)) return;
  makeFolder(path);
  writeFileAtomicSync(ignoreFile, IGNORE_EVERYTHING);
}

/** Whether git leaves out all that is in a folder: what a repository ships could let it in. */
export function isKeptFromGit(folder: string): boolean {
  const path = `${folder}/.gitignore`;
  if (!exists(path)) return false;
  // What is no file is somebody's, and not to be replaced.
  if (!Deno.lstatSync(path).isFile) return true;
  const lines = (readOwnTextSync(path, MAX_IGNORE_BYTES) ?? "").split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
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
