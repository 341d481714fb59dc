/**
 * Folders that are trimtab's own.
 *
 * @module
 */

import { writeFileAtomicSync } from "./atomic.ts";
import { isThere } from "./exists.ts";
import { refuseLinks } from "./own_file.ts";

/** Only the user may look into a folder of ours. */
const PRIVATE_FOLDER_MODE = 0o700;

/** Tells git to leave out everything here, the file itself too. */
const IGNORE_EVERYTHING = "*\n";

/**
 * Makes a folder for files that can quote anything a session saw.
 *
 * A new folder is 0700; missing folders above it are made alike. A `.gitignore` of `*` keeps its
 * files out of commits. A folder that was there keeps its permission bits, and a `.gitignore` that
 * was there keeps its content: its owner may have had reasons. Never call it on `.claude` itself,
 * in which an ignore file would hide the project's own settings and commands.
 *
 * Permissions: `--allow-read` and `--allow-write` for the folder.
 *
 * @param path The folder.
 * @throws {Deno.errors.NotADirectory} When something that is no folder has the name.
 * @throws {TypeError} When it, or a folder of ours above it, is a link: one can come with a project.
 * @throws {Error} Whatever the system says when the folder cannot be made.
 *
 * @example
 * ```ts
 * import { ensurePrivateDirSync } from "./private_dir.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * ensurePrivateDirSync(`${root}/.claude/trimtab`);
 * assertEquals(Deno.readTextFileSync(`${root}/.claude/trimtab/.gitignore`), "*\n");
 * Deno.removeSync(root, { recursive: true });
 * ```
 */
export function ensurePrivateDirSync(path: string): void {
  const ignoreFile = `${path}/.gitignore`;
  refuseLinks(path);
  if (isThere(ignoreFile)) return;
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
