/**
 * Provides the functions of `@std/fs` that trimtab uses, under their published names.
 *
 * The npm package behind the other facades has no file system functions, and hooks must start without anything
 * from npm, so this file has its own code, without imports. To use the original from JSR, change one line of
 * deno.json, `"@std/fs": "jsr:@std/fs@1"`, and run `deno install --frozen=false` and `deno task lock`; hooks
 * then also load the imports of `@std/fs`.
 *
 * @module
 */

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

export interface ExistsOptions {
  /** Whether the path must be a folder. @default {false} */
  readonly isDirectory?: boolean;
  /** Whether the path must be a file. @default {false} */
  readonly isFile?: boolean;
}

export interface WalkOptions {
  /** Whether to yield folders, including the root. @default {true} */
  readonly includeDirs?: boolean;
  /** Whether to yield symbolic links, which are not followed. @default {true} */
  readonly includeSymlinks?: boolean;
  /** Yields only paths with one of these endings; the leading dot is optional. */
  readonly exts?: string[];
  /** Yields only paths that match one of these patterns. */
  readonly match?: RegExp[];
  /** Skips paths that match one of these patterns, and everything below them. */
  readonly skip?: RegExp[];
}

export interface WalkEntry extends Deno.DirEntry {
  /** The given root, joined with the path below it. */
  path: string;
}

/**
 * Makes a folder and its parents, unless they exist.
 *
 * Permissions: `--allow-read` and `--allow-write` for the path.
 *
 * @param dir The folder.
 * @throws {Error} When the path exists but is not a folder.
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
    // Another process may have made the folder in the meantime.
    if (!(error instanceof Deno.errors.AlreadyExists) || !isFolder(dir)) throw error;
  }
}

/**
 * Whether a path exists. A symbolic link without a target does not count.
 *
 * Permissions: `--allow-read` for the path.
 *
 * @param path The path.
 * @param options Further conditions.
 * @returns Whether the path exists and meets all conditions.
 * @throws {TypeError} When both `isFile` and `isDirectory` are set.
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
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // The path exists, but this user may not examine it. A missing Deno permission is a NotCapable error,
    // which the caller receives.
    if (error instanceof Deno.errors.PermissionDenied) return true;
    throw error;
  }
}

/**
 * Visits a folder and everything below it, each folder before its contents.
 *
 * Permissions: `--allow-read` for the root.
 *
 * @param root The first folder.
 * @param options The paths to visit and to yield.
 * @returns The entries; the order of siblings is undefined.
 * @throws {Deno.errors.NotFound} When the root does not exist.
 * @throws {Deno.errors.NotADirectory} When the root is not a folder.
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
  yield* walkFolder(entry, options);
}

function* walkFolder(folder: WalkEntry, options: WalkOptions): IterableIterator<WalkEntry> {
  if (options.skip?.some((pattern) => matches(pattern, folder.path))) return;
  if ((options.includeDirs ?? true) && isWanted(folder.path, options)) yield folder;
  for (const child of Deno.readDirSync(folder.path)) {
    const entry = { path: joinName(folder.path, child.name), ...child };
    if (entry.isDirectory) {
      yield* walkFolder(entry, options);
      continue;
    }
    const isIncluded = !entry.isSymlink || (options.includeSymlinks ?? true);
    if (isIncluded && isWanted(entry.path, options)) yield entry;
  }
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
  // A global or sticky pattern would continue after its last match.
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
  throw new Error(`Cannot make folder "${path}": the path exists but is not a folder`);
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
