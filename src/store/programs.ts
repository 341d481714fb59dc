/** Ignores relative folders of `PATH`, because a project could place programs there. */

import { targetOrNull } from "./exists.ts";
import { isAbsolutePath, joinPath } from "./paths.ts";

const MAX_FOLDERS = 500;

const IS_WINDOWS = Deno.build.os === "windows";

export const PATH_SEPARATOR = IS_WINDOWS ? ";" : ":";

const ENDINGS: readonly string[] = IS_WINDOWS ? [".exe", ".cmd", ".bat"] : [""];

const EXECUTABLE = 0o111;

/** Omits relative and empty entries, because they refer to the working folder. */
export function programFolders(path: string | undefined): string[] {
  const entries = (path ?? "").split(PATH_SEPARATOR).slice(0, MAX_FOLDERS);
  return entries.filter(isAbsolutePath);
}

export function findProgram(name: string, path: string | undefined): string | null {
  const paths = programFolders(path)
    .flatMap((folder) => ENDINGS.map((ending) => joinPath(folder, name + ending)));
  return paths.find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  const { isFile = false, mode = null } = targetOrNull(path) ?? {};
  return isFile && (IS_WINDOWS || mode === null || (mode & EXECUTABLE) !== 0);
}
