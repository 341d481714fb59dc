/** Handles paths without `@std/path`, which takes longer to load than a hook takes for everything else. */

import { isUuid } from "../core/uuid.ts";
import { isFolder, targetOrNull } from "./exists.ts";

export const CLAUDE_FOLDER = "/.claude/";

// This is a function rather than a constant, because the module in the client loads this file without Deno.
function isWindows(): boolean {
  return Deno.build.os === "windows";
}

/** Joins with slashes, which every system accepts. */
export function joinPath(...parts: string[]): string {
  const nonEmpty = parts.filter((part) => part !== "");
  const joined = nonEmpty.join("/");
  // Keeps the two slashes that start a Windows network path.
  const kept = nonEmpty[0]?.startsWith("//") ? 1 : 0;
  return joined.slice(0, kept) + joined.slice(kept).replaceAll(/\/{2,}/g, "/");
}

export function parentPath(path: string): string {
  if (isWindows() && /^[A-Za-z]:[\\/]+$/.test(path)) return path.slice(0, 3);
  const slash = lastSlash(path.replace(/[/]+$/, ""));
  if (slash < 0) return path.startsWith("/") ? "/" : ".";
  if (isWindows() && slash === 2 && path[1] === ":") return path.slice(0, 3);
  return slash === 0 ? path[0] ?? "/" : path.slice(0, slash);
}

export function fileName(path: string): string {
  return path.slice(lastSlash(path) + 1);
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || (isWindows() && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path));
}

export function resolvePath(path: string, base: string): string {
  const whole = isAbsolutePath(path) ? path : joinPath(base, path);
  const slashed = isWindows() ? whole.replaceAll("\\", "/") : whole;
  const root = /^(?:[A-Za-z]:)?\/{0,2}/.exec(slashed)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of slashed.slice(root.length).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return root + parts.join("/");
}

export function absolutePath(path: string): string {
  return isAbsolutePath(path) ? path : resolvePath(path, Deno.cwd());
}

/** Check an id with this function before it becomes part of a path. */
export function isSessionId(text: string): boolean {
  return isUuid(text);
}

function lastSlash(path: string): number {
  return isWindows()
    ? Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
    : path.lastIndexOf("/");
}

/** Looks up an environment variable. Tests replace this function. */
export type EnvReader = (name: string) => string | undefined;

/** A variable counts as unset if it is empty, or if the permission is missing. */
export function readEnv(name: string): string | undefined {
  try {
    return Deno.env.get(name) || undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

export function findConfigDir(env: EnvReader = readEnv): string | undefined {
  const named = env("CLAUDE_CONFIG_DIR");
  if (named !== undefined) return named;
  const home = env("HOME") ?? env("USERPROFILE");
  return home === undefined ? undefined : joinPath(home, ".claude");
}

const MAX_FOLDERS_UP = 40;

/** Yields a folder and the folders above it, the nearest first, without the root `/`. */
export function* foldersUp(folder: string): Generator<string, void, undefined> {
  for (let count = 0; count < MAX_FOLDERS_UP && folder !== ""; count++) {
    yield folder;
    folder = folder.slice(0, Math.max(0, folder.search(/[\\/][^\\/]*$/)));
  }
}

interface ProjectHints {
  cwd: string;
  startFolder?: string | undefined;
  env?: EnvReader;
}

/**
 * Finds the folder of the project, in the same way for hooks, skills and shells. Returns the first of:
 *
 * 1. `CLAUDE_PROJECT_DIR`.
 * 2. The folder in which the session started, if it still exists.
 * 3. The nearest folder, from the working folder up to the repository's root, whose `.claude/trimtab` has the
 *    same owner as the working folder. The root of the file system does not count.
 * 4. The working folder.
 *
 * The launcher follows the same rules in `bin/parts/project.sh` and sets `CLAUDE_PROJECT_DIR`.
 */
export function findProjectDir(hints: ProjectHints): string {
  const env = hints.env ?? readEnv;
  const named = env("CLAUDE_PROJECT_DIR");
  if (named !== undefined) return named;
  // Skips a project that was moved or deleted.
  if (hints.startFolder !== undefined && !isGone(hints.startFolder)) return hints.startFolder;
  // The configuration folder also has a `trimtab` folder, but is not a project.
  const configDir = findConfigDir(env);
  for (const folder of foldersUp(hints.cwd)) {
    const claudeFolder = joinPath(folder, ".claude");
    const isProject = claudeFolder !== configDir &&
      hasFolderOfOwner(hints.cwd, joinPath(claudeFolder, "trimtab"));
    if (isProject) return folder;
    if (targetOrNull(joinPath(folder, ".git")) !== null) break;
  }
  return hints.cwd;
}

export function projectOf(place: { readonly projectDir?: string }): string {
  return place.projectDir ?? findProjectDir({ cwd: Deno.cwd() });
}

export function ownFolder(projectDir: string, name = ""): string {
  return joinPath(projectDir, ".claude", "trimtab", name);
}

export function realFolder(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

export function usesTrimtab(projectDir: string): boolean {
  return isFolder(ownFolder(projectDir));
}

function isGone(path: string): boolean {
  try {
    return !Deno.statSync(path).isDirectory;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Compares the owners, because other users can create folders in shared places. */
function hasFolderOfOwner(cwd: string, path: string): boolean {
  const folder = targetOrNull(path);
  return folder?.isDirectory === true && folder.uid === targetOrNull(cwd)?.uid;
}
