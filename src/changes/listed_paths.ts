/** Compares the paths of changed files with folders, and with paths as git lists them. */

import { isPathOf } from "../core/shell_files.ts";

export const ABSOLUTE_PATH = /^(?:\/|[A-Za-z]:)/;

export function isUnder(file: string, folder: string): boolean {
  return file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.length));
}

/** Resolves a path that starts with `..`. */
export function pathIn(folder: string, path: string): string {
  const [, ups = "", rest = ""] = /^((?:\.\.\/?)*)(.*)$/.exec(path) ?? [];
  const parents = folder.split("/").slice(0, -(ups.match(/\.\./g)?.length ?? 0));
  return [...parents, rest].join("/").replace(/\/$/, "");
}

/** Removes the dots that `git diff --stat` puts in place of the start of a long path. */
export function withoutDots(path: string): string {
  return path.replace(/^\.{3}\//, "");
}

/** Whether a listed path includes a file. Git lists a new folder without its files, and a move as two paths. */
export function isListedAs(listed: string, file: string): boolean {
  return listed.split(" -> ").map(withoutDots).some((path) =>
    path.endsWith("/") ? `/${file}`.includes(`/${path}`) : isPathOf(path, file)
  );
}

/** Whether a listed file is in a folder. Git lists paths relative to the repository; `folder` is absolute. */
export function isListedBelow(listed: string, folder: string): boolean {
  const parts = listed.split("/").slice(0, -1);
  const parents = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  return parents.some((one) => one.includes("/") && folder.endsWith(`/${one}`));
}
