/** Path functions without `@std/path`, which would cost a hook more time than everything else. */

import { isFolder } from "./exists.ts";

// No constant: the module inside the client has no Deno, and would fail where it is loaded.
function isWindows(): boolean {
  return Deno.build.os === "windows";
}

/** Joins the parts of a path with slashes, which every system accepts. */
export function joinPath(...parts: string[]): string {
  const given = parts.filter((part) => part !== "");
  const joined = given.join("/");
  // The two slashes that start a Windows network path are kept; those of `/` and a name are not two.
  const kept = given[0]?.startsWith("//") ? 1 : 0;
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

/** Makes a path absolute and takes `.` and `..` out of it. */
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

function lastSlash(path: string): number {
  return isWindows()
    ? Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
    : path.lastIndexOf("/");
}

/** Looks up an environment variable; a test passes its own. */
export type EnvReader = (name: string) => string | undefined;

/** Reads an environment variable; one that may not be read counts as unset. */
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

/** A project is looked for no further up than this, in folders. */
const MAX_LEVELS = 256;

interface ProjectClues {
  cwd: string;
  /** The folder in which the session started, where its first entries say so. */
  startedIn?: string | undefined;
  /** Where environment variables are looked up. @default {readEnv} */
  env?: EnvReader;
}

/**
 * Finds the folder that a project's files are kept in, the same for hooks, skills and shells:
 * `CLAUDE_PROJECT_DIR`, else the folder in which the session started where it is still there, else
 * the nearest folder upwards, below the root and within the repository, that holds a
 * `.claude/trimtab` of the owner of the working folder, else the working folder.
 *
 * The launcher follows the same rules in `bin/parts/project.sh` and sets `CLAUDE_PROJECT_DIR`.
 */
export function findProjectDir(clues: ProjectClues): string {
  const env = clues.env ?? readEnv;
  const named = env("CLAUDE_PROJECT_DIR");
  if (named !== undefined) return named;
  // A project that was moved or deleted since keeps nothing any more.
  if (clues.startedIn !== undefined && !isGone(clues.startedIn)) return clues.startedIn;
  // The configuration folder holds the index of all projects, and makes its parent no project.
  const configDir = findConfigDir(env);
  let folder = clues.cwd;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const own = joinPath(folder, ".claude");
    if (own !== configDir && isFolderOf(clues.cwd, joinPath(own, "trimtab"))) return folder;
    if (isThere(joinPath(folder, ".git"))) return clues.cwd;
    const above = parentPath(folder);
    // The root is above all projects: a folder there says nothing about any of them.
    if (above === folder || above === "." || parentPath(above) === above) return clues.cwd;
    folder = above;
  }
  return clues.cwd;
}

/** Whether there is a file or folder, as far as it may be looked at. */
function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The project that a caller names, else the one of the working folder. */
export function projectOf(place: { readonly projectDir?: string } = {}): string {
  return place.projectDir ?? findProjectDir({ cwd: Deno.cwd() });
}

/** Whether trimtab keeps anything in a project; elsewhere it must leave nothing behind. */
export function isUsed(projectDir: string): boolean {
  return isFolder(joinPath(projectDir, ".claude", "trimtab"));
}

function isGone(path: string): boolean {
  try {
    return !Deno.statSync(path).isDirectory;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Whether a folder has the owner of another: in a shared place anybody could have made it. */
function isFolderOf(other: string, path: string): boolean {
  try {
    const { isDirectory, uid } = Deno.statSync(path);
    return isDirectory && uid === Deno.statSync(other).uid;
  } catch {
    return false;
  }
}
