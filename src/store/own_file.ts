/** Reads only regular files, because a cloned project can contain links with the names of trimtab's files. */

import { infoOf, unlessFailed, unlessMissing } from "./exists.ts";
import { CLAUDE_FOLDER, findConfigDir, joinPath, parentPath } from "./paths.ts";
import { NotRegularFileError, readTextSync } from "./read_file.ts";

const TEMPORARY_ERROR_CODES = new Set([
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EINTR",
  "EAGAIN",
  "ETIMEDOUT",
]);

export function readOwnTextSync(path: string, maxBytes: number): string | null {
  return unlessMissing(() => {
    const { isFile, size } = Deno.lstatSync(path);
    if (!isFile || size > maxBytes || findLinkAbove(path) !== null) return null;
    return readTextSync(path, maxBytes);
  });
}

export function readOwnTextOrNull(path: string, maxBytes: number): string | null {
  return unlessFailed(() => readOwnTextSync(path, maxBytes));
}

/** Returns null for a missing or damaged file; with `isForChange`, throws for one that may be intact. */
export function readOwnJson(path: string, maxBytes: number, isForChange: boolean): unknown {
  try {
    return JSON.parse(readOwnTextSync(path, maxBytes) ?? "null");
  } catch (error) {
    const isTemporary = error instanceof Error && "code" in error &&
      TEMPORARY_ERROR_CODES.has(String(error.code));
    if (error instanceof Deno.errors.NotCapable || (isForChange && isTemporary)) throw error;
    return null;
  }
}

export function leadsThroughLink(folder: string): boolean {
  return findLinkAbove(`${folder}/`) !== null;
}

export function refuseLinks(path: string): void {
  const link = findLinkAbove(`${path}/`);
  if (link === null) return;
  throw new TypeError(
    `Cannot use ${link}: it is a link that trimtab does not follow. Replace it with a folder`,
  );
}

export function refuseNonFiles(path: string): void {
  const isNonFile = infoOf(path)?.isFile === false;
  if (isNonFile) throw new NotRegularFileError(path);
}

function findLinkAbove(path: string): string | null {
  const index = path.lastIndexOf(CLAUDE_FOLDER);
  if (index < 0) return null;
  let folder = path.slice(0, index + CLAUDE_FOLDER.length - 1);
  // `.claude` may lead out of its project only if it is the client's configuration folder.
  const isForeign = isLink(folder) && folder !== findConfigDir() &&
    leadsOut(folder, parentPath(folder));
  if (isForeign) return folder;
  for (const name of path.slice(index + CLAUDE_FOLDER.length).split("/").slice(0, -1)) {
    folder = joinPath(folder, name);
    if (isLink(folder)) return folder;
  }
  return null;
}

/** Whether a path leads out of a folder; true if the path or the folder cannot be resolved. */
export function leadsOut(path: string, folder: string): boolean {
  try {
    return isRealPathOutside(path, folder);
  } catch {
    return true;
  }
}

export function isRealPathOutside(path: string, folder: string): boolean {
  const real = Deno.realPathSync(folder).replace(/[\\/]$/, "");
  const below = Deno.realPathSync(path);
  return !below.startsWith(real) || !/^[\\/]/.test(below.slice(real.length));
}

function isLink(path: string): boolean {
  return infoOf(path)?.isSymlink === true;
}
