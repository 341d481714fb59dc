/** Copies the folders that a session owns besides its transcript: `tasks/<id>/` and `file-history/<id>/` (by file times). */

import { isFolder } from "../store/exists.ts";
import { ensureDirSync, walkSync } from "@std/fs";
import { explainWrite, reasonOf, temporaryPathFor } from "../store/atomic.ts";
import { fileName, joinPath, parentPath } from "../store/paths.ts";

const MAX_OWNED_FILES = 10_000;

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
  const tasks = [joinPath(configDir, "tasks", from), joinPath(configDir, "tasks", to)] as const;
  const history = [
    joinPath(configDir, "file-history", from),
    joinPath(configDir, "file-history", to),
  ] as const;
  try {
    // The client changes a task's file in place: a link would change the original's, too.
    owned.tasks = bringFolder(...tasks, copyKeepingTimes);
  } catch (error) {
    owned.notes.push(`The task list could not be copied: ${reasonOf(error)}`);
  }
  try {
    owned.file_history = bringFolder(...history, linkOrCopy);
  } catch (error) {
    owned.notes.push(`/rewind cannot restore code in the copy: ${reasonOf(error)}`);
  }
  return owned;
}

function bringFolder(
  from: string,
  to: string,
  bring: (from: string, to: string) => void,
): number {
  if (!isFolder(from)) return 0;
  let count = 0;
  for (const item of walkSync(from, { includeDirs: false, includeSymlinks: false })) {
    if (count === MAX_OWNED_FILES) {
      throw new RangeError(`there are more than ${MAX_OWNED_FILES} files in ${from}`);
    }
    const target = joinPath(to, item.path.slice(from.length));
    ensureDirSync(parentPath(target));
    bring(item.path, target);
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

/** Under another name at first: a full disk takes half of a file, and the client would read it. */
function copyKeepingTimes(from: string, to: string): void {
  const temporary = temporaryPathFor(to);
  try {
    Deno.copyFileSync(from, temporary);
    const { atime, mtime } = Deno.statSync(from);
    if (mtime !== null) Deno.utimeSync(temporary, atime ?? mtime, mtime);
    Deno.renameSync(temporary, to);
  } catch (error) {
    removeQuietly(temporary);
    throw explainWrite(error, to);
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It may not have been made; the error that brought us here matters more.
  }
}
