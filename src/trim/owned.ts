/** Copies a session's task list and links its edit history. Keeps the files' times. */

import { ensureDirSync, walkSync } from "@std/fs";
import { reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { isFolder } from "../store/exists.ts";
import { fileName, joinPath, parentPath } from "../store/paths.ts";
import { readFileSync } from "../store/read_file.ts";

const MAX_OWNED_FILES = 10_000;

const MAX_OWNED_BYTES = 256 * 1024 * 1024;

/** Counts of the files that were copied or linked, and messages about failures. */
export interface OwnedFiles {
  /** Files of the task list that were copied. */
  tasks: number;
  /** Files of the edit history that were linked, or copied where links are not supported. */
  file_history: number;
  /** Messages to the user about folders that could not be copied. */
  notes: string[];
}

export function configDirOf(transcript: string): string | undefined {
  const projects = parentPath(parentPath(transcript));
  return fileName(projects) === "projects" ? parentPath(projects) : undefined;
}

export function copyOwnedFiles(configDir: string, from: string, to: string): OwnedFiles {
  const owned: OwnedFiles = { tasks: 0, file_history: 0, notes: [] };
  const copyFolder = (folder: string, copyFile: typeof linkOrCopy, failure: string): number => {
    const [source, target] = [joinPath(configDir, folder, from), joinPath(configDir, folder, to)];
    let count = 0;
    try {
      for (const name of filesIn(source)) {
        const copy = joinPath(target, name);
        ensureDirSync(parentPath(copy));
        copyFile(source + name, copy);
        count++;
      }
    } catch (error) {
      owned.notes.push(`${failure}: ${reasonOf(error)}`);
    }
    return count;
  };
  // Copies, because the client changes a task's file in place, and a link would change the original too.
  owned.tasks = copyFolder("tasks", copyKeepingTimes, "Not all of the task list could be copied");
  owned.file_history = copyFolder(
    "file-history",
    linkOrCopy,
    "/rewind cannot restore all code in the copy",
  );
  return owned;
}

function* filesIn(folder: string): Generator<string, void, undefined> {
  if (!isFolder(folder)) return;
  let count = 0;
  for (const { path } of walkSync(folder, { includeDirs: false, includeSymlinks: false })) {
    if (count === MAX_OWNED_FILES) {
      throw new RangeError(`there are more than ${MAX_OWNED_FILES} files in ${folder}`);
    }
    yield path.slice(folder.length);
    count++;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    Deno.linkSync(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    // Some file systems do not support links.
    copyKeepingTimes(from, to);
  }
}

/** Copies atomically, so that a full disk does not leave half a file for the client to read. */
function copyKeepingTimes(from: string, to: string): void {
  const { atime, mtime, mode } = Deno.statSync(from);
  const bytes = readFileSync(from, MAX_OWNED_BYTES);
  writeFileAtomicSync(to, bytes, mode === null ? {} : { mode: mode & 0o777 });
  if (mtime !== null) Deno.utimeSync(to, atime ?? mtime, mtime);
}
