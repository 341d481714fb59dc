/**
 * Which files are trimtab's own: by the folder that they are in and by their names, nothing else.
 *
 * @module
 */

import { isMissing } from "../config/files.ts";
import { TEMPORARY_PREFIX } from "../store/atomic.ts";
import { joinPath } from "../store/paths.ts";

/** What a file is for. */
export type OwnKind =
  | "checkpoint"
  | "snapshot"
  | "lineage"
  | "blackboard"
  | "events"
  | "state"
  | "handoff"
  | "output"
  | "temporary"
  | "housekeeping";

/** A file of trimtab. */
export interface OwnFile {
  /** The file. */
  readonly path: string;
  /** What it is for. */
  readonly kind: OwnKind;
  /** Its size. */
  readonly bytes: number;
  /** When it was written, in milliseconds since 1970. */
  readonly mtimeMs: number;
}

/** What is in trimtab's folders of a project. */
export interface OwnFiles {
  /** Its files, in the order of their paths. */
  readonly files: readonly OwnFile[];
  /** Its folders, the inner ones first. */
  readonly folders: readonly string[];
  /** What else is there: files of others, and links, which are not followed. */
  readonly others: readonly string[];
}

/** No more entries of a folder are looked at. */
const MAX_ENTRIES = 100_000;

/** Files of a spill are this deep at most, in folders. */
const MAX_DEPTH = 4;

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const TEMPORARY = new RegExp(`^${RegExp.escape(TEMPORARY_PREFIX)}[0-9a-f-]{36}$`);
const LOCK = /^\.(?:[a-z]+\.)?lock$/;

type Names = readonly (readonly [name: RegExp, kind: OwnKind])[];

/** Names of files by their folder below `.claude`; a folder that is not here is not ours. */
const FOLDERS: Readonly<Record<string, Names>> = {
  "checkpoints": [[/^\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?\.md$/, "checkpoint"]],
  "runtime/context-snapshots": [[/^\d{8}_\d{6}(?:-\d{1,6})?\.json$/, "snapshot"]],
  "trimtab": [
    [/^sessions\.json$/, "lineage"],
    [/^blackboard\.jsonl$/, "blackboard"],
    [/^events(?:\.1)?\.jsonl$/, "events"],
    [/^(?:iteration|left\.json|watch\.json|config-cache\.json)$/, "state"],
    [/^(?:blackboard\.jsonl|events\.jsonl|iteration|watch)\.lock$/, "housekeeping"],
  ],
  "trimtab/state": [[new RegExp(`^${ID}\\.json$`, "i"), "state"]],
  "trimtab/handoffs": [
    [new RegExp(`^${ID}(?:\\.claimed-${ID}\\.\\d{1,16})?\\.json$`, "i"), "handoff"],
    [new RegExp(`^${ID}(?:\\.md|\\.kept-${ID})$`, "i"), "handoff"],
  ],
};

/** Outputs that were shaped, whole; a folder for each session. */
const SPILL = "trimtab/spill";
const OUTPUTS: Names = [[/^[^.]/, "output"]];

/** What an ignore file of ours says, and nothing else. */
const IGNORE_EVERYTHING = "*\n";

/**
 * Finds the files that trimtab keeps in a project.
 *
 * Permissions: `--allow-read` for `<projectDir>/.claude`.
 *
 * @param projectDir The folder of the project.
 * @returns The files, by name and folder; a folder of ours that is a link is not looked into.
 * @throws {Error} Whatever the system says when a folder may not be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findOwnFiles } from "./own_files.ts";
 *
 * assertEquals(findOwnFiles("/nowhere"), { files: [], folders: [], others: [] });
 * ```
 */
export function findOwnFiles(projectDir: string): OwnFiles {
  const files: OwnFile[] = [];
  const folders: string[] = [];
  const others: string[] = [];
  for (const [folder, names] of ownFolders(projectDir)) {
    const entries = entriesOf(folder);
    if (entries === null) continue;
    folders.push(folder);
    for (const { name, isFile, isDirectory } of entries) {
      const path = joinPath(folder, name);
      if (isDirectory && isOwnFolder(path.slice(projectDir.length + 1))) continue;
      const kind = isFile ? kindOf(path, name, names) : null;
      const file = kind === null ? null : viewFile(path, kind);
      if (file === null) others.push(path);
      else files.push(file);
    }
  }
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  return { files, folders: folders.sort(longestFirst), others: others.sort() };
}

/**
 * Finds what killed processes left in other folders: temporary files that never got their name.
 *
 * Permissions: `--allow-read` for the folders.
 *
 * @param folders The folders.
 * @returns The files.
 * @throws {Error} Whatever the system says when a folder may not be read.
 */
export function findTemporaries(folders: readonly string[]): OwnFile[] {
  return folders.flatMap((folder) =>
    (entriesOf(folder) ?? []).filter(({ name, isFile }) => isFile && TEMPORARY.test(name))
      .map(({ name }) => viewFile(joinPath(folder, name), "temporary"))
      .filter((file) => file !== null)
  );
}

/**
 * Lists a folder that is one, and no link.
 *
 * Permissions: `--allow-read` for the folder.
 *
 * @param folder The folder.
 * @returns What is in it, or null where there is no such folder.
 * @throws {Error} Whatever the system says when it may not be read.
 */
export function entriesOf(folder: string): Deno.DirEntry[] | null {
  try {
    if (!Deno.lstatSync(folder).isDirectory) return null;
    return [...Deno.readDirSync(folder)].slice(0, MAX_ENTRIES);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Our folders, behind no link of whoever wrote the project; `.claude` itself may be one. */
function ownFolders(projectDir: string): [folder: string, names: Names][] {
  const claude = joinPath(projectDir, ".claude");
  const isReal = (path: string): boolean => entriesOf(path) !== null;
  const known = Object.entries(FOLDERS).filter(([folder]) => {
    const parts = folder.split("/");
    return parts.every((_, index) => isReal(joinPath(claude, ...parts.slice(0, index + 1))));
  }).map(([folder, names]): [string, Names] => [joinPath(claude, folder), names]);
  const spill = joinPath(claude, SPILL);
  const isHome = isReal(joinPath(claude, "trimtab")) && isReal(spill);
  const outputs = isHome ? spillFolders(spill, MAX_DEPTH) : [];
  return [...known, ...outputs.map((folder): [string, Names] => [folder, OUTPUTS])];
}

function spillFolders(folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  const inner = (entriesOf(folder) ?? []).filter(({ isDirectory }) => isDirectory);
  return [folder, ...inner.flatMap(({ name }) => spillFolders(joinPath(folder, name), depth - 1))];
}

function isOwnFolder(path: string): boolean {
  const folder = path.replace(/^\/?\.claude\//, "");
  return Object.hasOwn(FOLDERS, folder) || folder === SPILL || folder.startsWith(`${SPILL}/`);
}

function kindOf(path: string, name: string, names: Names): OwnKind | null {
  if (TEMPORARY.test(name)) return "temporary";
  if (LOCK.test(name)) return "housekeeping";
  if (name === ".gitignore") return isOwnIgnoreFile(path) ? "housekeeping" : null;
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** One that says something else is its owner's. */
function isOwnIgnoreFile(path: string): boolean {
  return Deno.lstatSync(path).size === IGNORE_EVERYTHING.length &&
    Deno.readTextFileSync(path) === IGNORE_EVERYTHING;
}

function viewFile(path: string, kind: OwnKind): OwnFile | null {
  try {
    const { isFile, size, mtime } = Deno.lstatSync(path);
    return isFile ? { path, kind, bytes: size, mtimeMs: mtime?.getTime() ?? Infinity } : null;
  } catch (error) {
    // Somebody else has just removed it.
    if (isMissing(error)) return null;
    throw error;
  }
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1);
}
