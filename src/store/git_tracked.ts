/** Reads git's index to find tracked files, because hooks must not start programs. */

import { listTracked } from "../core/git_index.ts";
import { isFile } from "./exists.ts";
import { CLAUDE_FOLDER, fileName, foldersUp, isAbsolutePath, joinPath } from "./paths.ts";
import { readFileSync, readTextSync } from "./read_file.ts";

/** The index of a million files is about 100 MB. */
const MAX_INDEX_BYTES = 512 * 1024 * 1024;

const MAX_TEXT_BYTES = 1024 * 1024;

/** Matches the `.git` file of a worktree, such as `gitdir: /repo/.git/worktrees/a`. */
const GIT_FILE = /^gitdir: (.+)/;

/** Matches files that can quote any content of a session. */
const PRIVATE = /\/\.claude\/(?:trimtab|checkpoints|runtime\/context-snapshots)\//;

const CACHE = new Map<
  string,
  { readonly stamp: string; readonly paths: Set<string> | undefined }
>();

/** @throws {TypeError} When git tracks a private file, because git would show or commit it. */
export function refuseTracked(path: string): void {
  if (!PRIVATE.test(path)) return;
  const end = path.lastIndexOf(CLAUDE_FOLDER);
  if (trackedIn(path.slice(0, end))(path) !== true) return;
  throw new TypeError(
    `Cannot write ${JSON.stringify(path)}: git tracks it, so its content would be committed. ` +
      `Remove it from git: git rm --cached ${fileName(path)}, in its folder`,
  );
}

/** Returns a check whether git tracks a path, which is `undefined` if the index is unreadable. */
export function trackedIn(projectDir: string): (path: string) => boolean | undefined {
  const found = findRepository(projectDir);
  if (found === null) return () => false;
  const prefix = `${`${projectDir}/`.slice(found.root.length + 1)}${claudeFolderIn(projectDir)}/`;
  const paths = readTracked(found.git, prefix);
  const claude = `${projectDir}${CLAUDE_FOLDER}`;
  return (path) => paths?.has(prefix + path.slice(claude.length));
}

export function findRepository(projectDir: string): { root: string; git: string } | null {
  for (const root of foldersUp(projectDir.replace(/(?<=.)\/+$/, ""))) {
    const git = gitFolder(joinPath(root, ".git"), root);
    if (git !== null) return { root, git };
  }
  return null;
}

function gitFolder(path: string, root: string): string | null {
  try {
    if (Deno.statSync(path).isDirectory) return path;
    const named = GIT_FILE.exec(readTextSync(path, MAX_TEXT_BYTES))?.[1]?.trim();
    if (named === undefined) return null;
    return isAbsolutePath(named) ? named : joinPath(root, named);
  } catch (error) {
    // In folders above its project, a hook may read only git's index.
    if (error instanceof Deno.errors.NotCapable) {
      return isFile(joinPath(path, "index")) ? path : null;
    }
    return null;
  }
}

function claudeFolderIn(projectDir: string): string {
  const claude = `${projectDir}/.claude`;
  try {
    if (!Deno.lstatSync(claude).isSymlink) return ".claude";
    const [real, project] = [Deno.realPathSync(claude), Deno.realPathSync(projectDir)];
    return real.startsWith(`${project}/`) ? real.slice(project.length + 1) : ".claude";
  } catch {
    return ".claude";
  }
}

function readTracked(git: string, prefix: string): Set<string> | undefined {
  const path = joinPath(git, "index");
  try {
    const { size, mtime } = Deno.statSync(path);
    const stamp = `${size} ${mtime?.getTime()} ${prefix}`;
    const known = CACHE.get(path);
    if (known?.stamp === stamp) return known.paths;
    const paths = listTracked(readFileSync(path, MAX_INDEX_BYTES), prefix);
    CACHE.set(path, { stamp, paths });
    return paths;
  } catch (error) {
    // Git has no index until a file is added.
    return error instanceof Deno.errors.NotFound ? new Set() : undefined;
  }
}
