/** Copies the folders that a session owns besides its transcript: `tasks/<id>/` and `file-history/<id>/` (by file times). */

import { ensureDirSync, walkSync } from "@std/fs";
import { reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { isFolder } from "../store/exists.ts";
import { fileName, joinPath, parentPath } from "../store/paths.ts";
import { readFileSync } from "../store/read_file.ts";

const MAX_OWNED_FILES = 10_000;

/** A larger one is not copied, in bytes. */
const MAX_OWNED_BYTES = 256 * 1024 * 1024;

/** The folders that were copied. */
export interface OwnedFiles {
  /** Files of the task list that were copied. */
  tasks: number;
  /** Files of the edit history that were linked. */
  file_history: number;
  /** The folders that could not be copied, in words for a person. */
  notes: string[];
}

/** Finds Claude Code's configuration folder from where a transcript stands. */
export function configDirOf(transcript: string): string | undefined {
  const projects = parentPath(parentPath(transcript));
  return fileName(projects) === "projects" ? parentPath(projects) : undefined;
}

export function bringOwnedFiles(configDir: string, from: string, to: string): OwnedFiles {
  const owned: OwnedFiles = { tasks: 0, file_history: 0, notes: [] };
  const bring = (folder: string, bringFile: typeof linkOrCopy, failure: string): number => {
    const [source, target] = [joinPath(configDir, folder, from), joinPath(configDir, folder, to)];
    try {
      return bringFolder(source, target, bringFile);
    } catch (error) {
      owned.notes.push(`${failure}: ${reasonOf(error)}`);
      return 0;
    }
  };
  // The client changes a task's file in place: a link would change the original's, too.
  owned.tasks = bring("tasks", copyKeepingTimes, "The task list could not be copied");
  owned.file_history = bring("file-history", linkOrCopy, "/rewind cannot restore code in the copy");
  return owned;
}

function bringFolder(from: string, to: string, bringFile: typeof linkOrCopy): number {
  if (!isFolder(from)) return 0;
  let count = 0;
  for (const { path } of walkSync(from, { includeDirs: false, includeSymlinks: false })) {
    if (count === MAX_OWNED_FILES) {
      throw new RangeError(`there are more than ${MAX_OWNED_FILES} files in ${from}`);
    }
    const target = joinPath(to, path.slice(from.length));
    ensureDirSync(parentPath(target));
    bringFile(path, target);
    count++;
  }
  return count;
}

function linkOrCopy(from: string, to: string): void {
  try {
    Deno.linkSync(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    // Some file systems have no links.
    copyKeepingTimes(from, to);
  }
}

/** Writes atomically: on a full disk the client would read half a file. */
function copyKeepingTimes(from: string, to: string): void {
  const { atime, mtime, mode } = Deno.statSync(from);
  const bytes = readFileSync(from, MAX_OWNED_BYTES);
  writeFileAtomicSync(to, bytes, mode === null ? {} : { mode: mode & 0o777 });
  if (mtime !== null) Deno.utimeSync(to, atime ?? mtime, mtime);
}
