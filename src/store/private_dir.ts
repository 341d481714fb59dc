/**
 * Folders that are trimtab's own.
 *
 * @module
 */

import { PRIVATE_FOLDER_MODE } from "./modes.ts";
import { writeFileAtomicSync } from "./atomic.ts";
import { exists } from "./exists.ts";
import { refuseLinks } from "./own_file.ts";

/** Tells git to leave out everything here, the file itself too. */
const IGNORE_EVERYTHING = "*\n";

/** Makes a folder for files that can quote anything a session saw. */
export function ensurePrivateDirSync(path: string): void {
  const ignoreFile = `${path}/.gitignore`;
  refuseLinks(path);
  if (exists(ignoreFile)) return;
  makeFolder(path);
  writeFileAtomicSync(ignoreFile, IGNORE_EVERYTHING);
}

function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    // Another process was faster, or the name belongs to something else.
    if (Deno.statSync(path).isDirectory) return;
    throw new Deno.errors.NotADirectory(`Cannot make folder "${path}": a file has the name`);
  }
}
