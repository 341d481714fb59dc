/**
 * Opening nothing but files. A project that was cloned can bring links, pipes and devices under any
 * name that is ours: what is read through one would leave its folder, and a pipe has no end.
 *
 * @module
 */

import { joinPath } from "./paths.ts";

/** What stands before the folders that are ours; a link of this name itself is its owner's choice. */
const OWNER = "/.claude/";

/** What the system says of a file that it cannot read now. */
const PASSING = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM", "EINTR", "EAGAIN", "ETIMEDOUT"]);

/**
 * Opens a file to read it. A link to a file does; a pipe or a device, which could hold up whoever
 * opens it for ever, does not.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The file.
 * @returns The open file.
 * @throws {TypeError} When the name belongs to something that is no file.
 * @throws {Error} Whatever the system says when it cannot be opened.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { openFileSync } from "./own_file.ts";
 *
 * assertThrows(() => openFileSync("."), TypeError, "is not a regular file");
 * ```
 */
export function openFileSync(path: string): Deno.FsFile {
  // Before it is opened: to open a pipe would wait for whoever writes to it.
  if (Deno.statSync(path).isFile) return Deno.openSync(path);
  throw notRegular(path);
}

/**
 * Reads a file of ours.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The file, in a folder of ours.
 * @param maxBytes A larger file is none of ours, in bytes.
 * @returns Its text; null when there is no such file, or the name belongs to something else.
 * @throws {Error} Whatever the system says when it may not be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readOwnTextSync } from "./own_file.ts";
 *
 * assertEquals(readOwnTextSync("/nowhere/.claude/trimtab/iteration", 20), null);
 * ```
 */
export function readOwnTextSync(path: string, maxBytes: number): string | null {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (!isFile || size > maxBytes || linkAbove(path) !== null) return null;
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/**
 * Tells trouble that passes, such as too many open files, from a file that is damaged: what stands in
 * it is still there, and is not to be written anew without it.
 *
 * Permissions: none.
 *
 * @param error What was thrown when the file was read.
 * @returns Whether it can be read another time.
 *
 * @example
 * ```ts
 * import { assert, assertFalse } from "@std/assert";
 * import { isPassing } from "./own_file.ts";
 *
 * assert(isPassing(Object.assign(new Error("Too many open files"), { code: "EMFILE" })));
 * assertFalse(isPassing(new SyntaxError("Unexpected end of JSON input")));
 * ```
 */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && PASSING.has(String(error.code));
}

/**
 * Refuses a path that a link would lead elsewhere.
 *
 * Permissions: `--allow-read` for the path.
 *
 * @param path A file or a folder of ours, which need not be there.
 * @throws {TypeError} When it, or a folder of ours above it, is a link.
 * @throws {Error} Whatever the system says when it may not be looked at.
 *
 * @example
 * ```ts
 * import { refuseLinks } from "./own_file.ts";
 *
 * refuseLinks("/nowhere/.claude/trimtab");
 * ```
 */
export function refuseLinks(path: string): void {
  const link = linkAbove(`${path}/`);
  if (link === null) return;
  throw new TypeError(`Cannot use ${link}: it is a link, and trimtab keeps its files behind none`);
}

/**
 * Refuses what is no file in the place of one of ours: a link could lead anywhere, a pipe has no end.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The file, which need not be there.
 * @throws {TypeError} When the name belongs to something else.
 * @throws {Error} Whatever the system says when it may not be looked at.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { refuseOthers } from "./own_file.ts";
 *
 * assertThrows(() => refuseOthers("."), TypeError, "is not a regular file");
 * ```
 */
export function refuseOthers(path: string): void {
  try {
    if (Deno.lstatSync(path).isFile) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  throw notRegular(path);
}

/** The first folder above a path, below `.claude`, that is a link; null where none is. */
function linkAbove(path: string): string | null {
  const at = path.lastIndexOf(OWNER);
  if (at < 0) return null;
  let folder = path.slice(0, at + OWNER.length - 1);
  for (const name of path.slice(at + OWNER.length).split("/").slice(0, -1)) {
    if (name === "") continue;
    folder = joinPath(folder, name);
    if (isLink(folder)) return folder;
  }
  return null;
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

function notRegular(path: string): TypeError {
  return new TypeError(`Cannot use ${JSON.stringify(path)}: it is not a regular file`);
}
