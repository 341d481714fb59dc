/**
 * The few functions of `@std/fs` that trimtab uses, under their published names.
 *
 * The npm package behind the other facades has no file system part, and hooks must start without
 * anything from npm, so this file is our own code and imports nothing. To use the original from
 * JSR, change one line of deno.json, `"@std/fs": "jsr:@std/fs@1"`, and run
 * `deno install --frozen=false` and `deno task lock`; hooks then pay for its imports.
 *
 * @module
 */

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

/** Further conditions of {@linkcode existsSync}. */
export interface ExistsOptions {
  /** Also readable by this process's user. @default {false} */
  readonly isReadable?: boolean;
  /** Also a folder. @default {false} */
  readonly isDirectory?: boolean;
  /** Also a file. @default {false} */
  readonly isFile?: boolean;
}

/** Options of {@linkcode walkSync}. */
export interface WalkOptions {
  /** Levels below the root; 0 is the root alone. @default {Infinity} */
  readonly maxDepth?: number;
  /** Yield files. @default {true} */
  readonly includeFiles?: boolean;
  /** Yield folders, the root first. @default {true} */
  readonly includeDirs?: boolean;
  /** Yield symbolic links that are not followed. @default {true} */
  readonly includeSymlinks?: boolean;
  /** Go where symbolic links point. @default {false} */
  readonly followSymlinks?: boolean;
  /** Yield only paths with one of these endings; the leading dot may be left out. */
  readonly exts?: string[];
  /** Yield only paths that one of these matches. */
  readonly match?: RegExp[];
  /** Neither yield nor enter paths that one of these matches. */
  readonly skip?: RegExp[];
}

/** One step of {@linkcode walkSync}. */
export interface WalkEntry extends Deno.DirEntry {
  /** The root as it was given, and the names below it. */
  path: string;
}

/**
 * Makes a folder, and those above it, unless it is there.
 *
 * Permissions: `--allow-read` and `--allow-write` for the path.
 *
 * @param dir The folder.
 * @throws {Error} When something that is not a folder has the name.
 *
 * @example
 * ```ts
 * import { ensureDirSync, existsSync } from "@std/fs";
 * import { assert } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * ensureDirSync(`${root}/a/b`);
 * assert(existsSync(`${root}/a/b`, { isDirectory: true }));
 * Deno.removeSync(root, { recursive: true });
 * ```
 */
export function ensureDirSync(dir: string | URL): void {
  if (isFolder(dir)) return;
  try {
    Deno.mkdirSync(dir, { recursive: true });
  } catch (error) {
    // Another process may have been faster, which is fine if it made a folder.
    if (!(error instanceof Deno.errors.AlreadyExists) || !isFolder(dir)) throw error;
  }
}

/**
 * Whether a path leads to something; a symbolic link that leads nowhere does not.
 *
 * Permissions: `--allow-read` for the path, `--allow-sys=uid,gid` for `isReadable`.
 *
 * @param path The path.
 * @param options What else must hold.
 * @returns Whether it is there and all the options hold.
 * @throws {TypeError} When both `isFile` and `isDirectory` are asked for.
 *
 * @example
 * ```ts
 * import { existsSync } from "@std/fs";
 * import { assertEquals } from "@std/assert";
 *
 * const file = Deno.makeTempFileSync();
 * assertEquals(existsSync(file, { isFile: true }), true);
 * assertEquals(existsSync(file, { isDirectory: true }), false);
 * Deno.removeSync(file);
 * assertEquals(existsSync(file), false);
 * ```
 */
export function existsSync(path: string | URL, options: ExistsOptions = {}): boolean {
  if (options.isDirectory && options.isFile) {
    throw new TypeError("Cannot check path: isDirectory and isFile cannot be used together");
  }
  try {
    const info = Deno.statSync(path);
    if (options.isDirectory && !info.isDirectory) return false;
    if (options.isFile && !info.isFile) return false;
    return options.isReadable ? isReadable(info) : true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.PermissionDenied) {
      // The system said no, so something is there that cannot be looked at. Deno's own refusal is a
      // NotCapable error and goes to the caller.
      return !options.isReadable;
    }
    throw error;
  }
}

/**
 * Visits a folder and what is below it, a folder before its contents.
 *
 * Permissions: `--allow-read` for the root.
 *
 * @param root The folder to start from.
 * @param options What to visit and yield.
 * @returns The entries, in no certain order among siblings.
 * @throws {Deno.errors.NotFound} When the root is not there.
 *
 * @example
 * ```ts
 * import { walkSync } from "@std/fs";
 * import { assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${root}/a.md`, "");
 * Deno.writeTextFileSync(`${root}/b.ts`, "");
 * const names = Array.from(walkSync(root, { exts: ["md"] }), (entry) => entry.name);
 * assertEquals(names, ["a.md"]);
 * Deno.removeSync(root, { recursive: true });
 * ```
 */
export function* walkSync(root: string, options: WalkOptions = {}): IterableIterator<WalkEntry> {
  const info = Deno.statSync(root);
  const path = withoutTrailingSeparator(root);
  if (!info.isDirectory) throw new Deno.errors.NotADirectory(`Cannot walk "${root}": not a folder`);
  const entry = { path, name: lastName(path), isDirectory: true, isFile: false, isSymlink: false };
  yield* walkFolder(entry, options, options.maxDepth ?? Infinity, []);
}

function* walkFolder(
  folder: WalkEntry,
  options: WalkOptions,
  depth: number,
  trail: readonly string[],
): IterableIterator<WalkEntry> {
  if (depth < 0) return;
  if (options.skip?.some((pattern) => matches(pattern, folder.path))) return;
  // A link back to a folder that is being walked would go round for ever.
  const real = options.followSymlinks ? Deno.realPathSync(folder.path) : folder.path;
  if (trail.includes(real)) return;
  if ((options.includeDirs ?? true) && isWanted(folder.path, options)) yield folder;
  if (depth === 0) return;
  for (const child of Deno.readDirSync(folder.path)) {
    const entry = resolveEntry(joinName(folder.path, child.name), child, options);
    if (entry.isDirectory) {
      yield* walkFolder(entry, options, depth - 1, [...trail, real]);
      continue;
    }
    const included = entry.isSymlink ? options.includeSymlinks : options.includeFiles;
    if ((included ?? true) && isWanted(entry.path, options)) yield entry;
  }
}

function resolveEntry(path: string, child: Deno.DirEntry, options: WalkOptions): WalkEntry {
  if (!child.isSymlink || !options.followSymlinks) return { path, ...child };
  const { isDirectory, isFile } = Deno.statSync(path);
  return { path, name: child.name, isDirectory, isFile, isSymlink: false };
}

function isWanted(path: string, options: WalkOptions): boolean {
  const { exts, match, skip } = options;
  if (exts && !exts.some((ext) => path.endsWith(ext.startsWith(".") ? ext : `.${ext}`))) {
    return false;
  }
  if (match && !match.some((pattern) => matches(pattern, path))) return false;
  return !skip?.some((pattern) => matches(pattern, path));
}

function matches(pattern: RegExp, path: string): boolean {
  // A global or sticky pattern remembers where it stopped; each path starts anew.
  pattern.lastIndex = 0;
  return pattern.test(path);
}

function isFolder(path: string | URL): boolean {
  try {
    const info = Deno.statSync(path);
    if (info.isDirectory) return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  throw new Error(`Cannot make folder "${path}": something else has that name`);
}

function isReadable(info: Deno.FileInfo): boolean {
  // Windows has no mode to look at.
  if (info.mode === null) return true;
  if (Deno.uid() === info.uid) return (info.mode & 0o400) !== 0;
  if (Deno.gid() === info.gid) return (info.mode & 0o040) !== 0;
  return (info.mode & 0o004) !== 0;
}

function joinName(folder: string, name: string): string {
  return folder.endsWith("/") || folder.endsWith(SEPARATOR)
    ? `${folder}${name}`
    : `${folder}${SEPARATOR}${name}`;
}

function withoutTrailingSeparator(path: string): string {
  const isSeparator = (char: string | undefined) => char === "/" || char === SEPARATOR;
  let end = path.length;
  while (end > 1 && isSeparator(path[end - 1]) && path[end - 2] !== ":") end--;
  return path.slice(0, end);
}

function lastName(path: string): string {
  const start = Math.max(path.lastIndexOf("/"), path.lastIndexOf(SEPARATOR));
  return path.slice(start + 1);
}
