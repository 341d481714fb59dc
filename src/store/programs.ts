/** Finds programs, but none that a project brings. */

import { isAbsolutePath, joinPath } from "./paths.ts";

/** Most entries of PATH that are searched. */
const MAX_FOLDERS = 500;

const IS_WINDOWS = Deno.build.os === "windows";

/** Endings of programs in the order in which Windows looks for them; elsewhere none. */
const ENDINGS: readonly string[] = IS_WINDOWS ? [".exe", ".cmd", ".bat"] : [""];

/** Any of the three bits that let somebody execute a file. */
const EXECUTABLE = 0o111;

/**
 * The folders of a PATH, without relative entries and empty ones: those mean the working folder, from
 * which nothing of a project may be started.
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
