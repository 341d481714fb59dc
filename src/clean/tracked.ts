/** What git tracks, told from its index without a run of git. */

import { isAbsolutePath, joinPath, parentPath } from "../store/paths.ts";
import { readFileSync, readTextSync } from "../store/read_file.ts";

/** A repository is looked for no further up, in folders. */
const MAX_LEVELS = 256;

/** No larger index is read, in bytes. */
const MAX_INDEX_BYTES = 512 * 1024 * 1024;

/** No pointer is longer, in bytes: it holds one path. */
const MAX_POINTER_BYTES = 64 * 1024;

/** What an index begins with, before its version. */
const SIGNATURE = "DIRC";

/** From this version on names are cut short, and not to be found by a search. */
const SHORT_NAMES = 4;

/** What follows a pointer to the folder of a worktree. */
const POINTER = /^gitdir: (.+)/;

/** Tells of files of a project whether git tracks them; all, where its index cannot be read. */
export function trackedIn(projectDir: string): (path: string) => boolean {
  const found = findRepository(projectDir);
  if (found === null) return () => false;
  const index = readIndex(joinPath(found.git, "index"));
  if (index === "none") return () => false;
  if (index === "unknown") return () => true;
  return (path) => index.includes(`${path.slice(found.root.length + 1)}\0`);
}

export function findRepository(projectDir: string): { root: string; git: string } | null {
  let root = projectDir.replace(/(?<=.)\/+$/, "");
  for (let level = 0; level < MAX_LEVELS; level++) {
    const git = gitFolder(joinPath(root, ".git"), root);
    if (git !== null) return { root, git };
    const above = parentPath(root);
    if (above === root || above === ".") return null;
    root = above;
  }
  return null;
}

/** The folder itself, or that to which the file of a worktree points. */
function gitFolder(path: string, root: string): string | null {
  try {
    if (Deno.statSync(path).isDirectory) return path;
    const named = POINTER.exec(readTextSync(path, MAX_POINTER_BYTES))?.[1]?.trim();
    if (named === undefined) return null;
    return isAbsolutePath(named) ? named : joinPath(root, named);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

/** The index as text of one byte a character, in which names are found by a native search. */
function readIndex(path: string): string | "none" | "unknown" {
  try {
    const bytes = readFileSync(path, MAX_INDEX_BYTES);
    const text = new TextDecoder().decode(bytes);
    const version = new DataView(bytes.buffer).getUint32(SIGNATURE.length);
    return text.startsWith(SIGNATURE) && version < SHORT_NAMES ? text : "unknown";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "none";
    if (error instanceof Deno.errors.NotCapable) throw error;
    return "unknown";
  }
}
