/** Finds programs, but not in the working folder, where a project could place its own. */

import { isAbsolutePath, joinPath } from "./paths.ts";

/** Maximum number of entries of PATH to search. */
const MAX_FOLDERS = 500;

const IS_WINDOWS = Deno.build.os === "windows";

/** Extensions of programs, in the search order of Windows. */
const ENDINGS: readonly string[] = IS_WINDOWS ? [".exe", ".cmd", ".bat"] : [""];

/** The execute bits of owner, group and others. */
const EXECUTABLE = 0o111;

/**
 * The absolute folders of a PATH. Omits relative and empty entries, since they refer to the working
 * folder.
 */
export function programFolders(path: string | undefined): string[] {
  const entries = (path ?? "").split(IS_WINDOWS ? ";" : ":").slice(0, MAX_FOLDERS);
  return entries.filter(isAbsolutePath);
}

/** Finds a program in the folders of a PATH; null if there is none. */
export function findProgram(name: string, path: string | undefined): string | null {
  const paths = programFolders(path)
    .flatMap((folder) => ENDINGS.map((ending) => joinPath(folder, name + ending)));
  return paths.find(isExecutable) ?? null;
}

/** Whether a path is an executable file; false if it cannot be checked. */
export function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (IS_WINDOWS || mode === null || (mode & EXECUTABLE) !== 0);
  } catch {
    return false;
  }
}
