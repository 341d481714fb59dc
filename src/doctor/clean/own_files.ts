import { entriesOf, infoOf, listFolder, removeFile, unlessFailed } from "../../store/exists.ts";
import { IGNORE_EVERYTHING, isIgnoreName } from "../../core/ignore_file.ts";
import { leadsThroughLink } from "../../store/own_file.ts";
import { joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";
import {
  type FileSpec,
  KEPT_NAME,
  LOCK_NAME,
  OWN_FILES,
  type OwnKind,
  SPILL_FILE,
  SPILL_FOLDER,
  TEMPORARY_NAME,
} from "./file_table.ts";

export type { OwnKind };

export interface OwnFile {
  readonly path: string;
  readonly kind: OwnKind;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export interface OwnFiles {
  /** Sorted by path. */
  readonly files: readonly OwnFile[];
  /** Inner folders come first, since a folder must be empty to be removed. */
  readonly folders: readonly string[];
  /** Paths of foreign files and folders, and of links, which are not followed. */
  readonly others: readonly string[];
  /** Folders that the user cannot read, for example after a run with sudo. Their contents are not listed. */
  readonly unreadable: readonly string[];
}

const MAX_SPILL_DEPTH = 4;

type Specs = readonly FileSpec[];

const SPECS_BY_FOLDER: ReadonlyMap<string, Specs> = Map.groupBy(OWN_FILES, ({ folder }) => folder);

export function filesInPlaceOfFolders(projectDir: string): string[] {
  return ["", ...SPECS_BY_FOLDER.keys(), SPILL_FOLDER]
    .map((folder) => joinPath(projectDir, ".claude", folder))
    .filter((path) => unlessFailed(() => infoOf(path))?.isFile === true);
}

export function findOwnFiles(projectDir: string): OwnFiles {
  const files: OwnFile[] = [];
  const folders: string[] = [];
  const others: string[] = [];
  const claude = joinPath(projectDir, ".claude");
  // A repository can contain a link at `.claude`; files at its target belong to another project.
  if (leadsThroughLink(claude)) return { files, folders, others: [claude], unreadable: [] };
  const reader = new FolderReader();
  for (const [folder, specs] of ownFolders(projectDir, reader)) {
    const entries = reader.entriesOf(folder);
    if (entries === null) continue;
    folders.push(folder);
    for (const { name, isFile, isDirectory } of entries) {
      const path = joinPath(folder, name);
      if (isDirectory && isOwnFolder(path.slice(claude.length + 1))) continue;
      const kind = isFile ? kindOf(path, name, specs) : null;
      const file = kind === null ? null : ownFileAt(path, kind);
      if (file === null) others.push(path);
      else files.push(file);
    }
  }
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  return {
    files,
    folders: folders.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    others: others.sort(),
    unreadable: reader.unreadable,
  };
}

class FolderReader {
  readonly unreadable: string[] = [];

  entriesOf(folder: string): Deno.DirEntry[] | null {
    return this.#read(folder, entriesOf);
  }

  isReadable(folder: string): boolean {
    return this.#read(folder, listFolder) !== null;
  }

  #read(
    folder: string,
    list: (folder: string) => Deno.DirEntry[] | null,
  ): Deno.DirEntry[] | null {
    if (this.unreadable.some((outer) => `${folder}/`.startsWith(`${outer}/`))) return null;
    try {
      return list(folder);
    } catch (error) {
      if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
      this.unreadable.push(folder);
      return null;
    }
  }
}

export function findTemporaries(folders: readonly string[]): OwnFile[] {
  return folders.flatMap((folder) => findNamed(folder, TEMPORARY_NAME, "temporary"));
}

export function findKept(folder: string): OwnFile[] {
  return findNamed(folder, KEPT_NAME, "transcript");
}

function findNamed(folder: string, names: RegExp, kind: OwnKind): OwnFile[] {
  return (entriesOf(folder) ?? []).filter(({ name }) => names.test(name))
    .map(({ name }) => ownFileAt(joinPath(folder, name), kind))
    .filter((file) => file !== null);
}

/** Skips a link, which may have replaced the file since the check. */
export function removeOwnFile(path: string): void {
  if (infoOf(path)?.isFile === true) removeFile(path);
}

/** Leaves out links and the folders below them; only `.claude` itself may be a link. */
function ownFolders(
  projectDir: string,
  reader: FolderReader,
): [folder: string, specs: Specs][] {
  const claude = joinPath(projectDir, ".claude");
  const isReal = (folder: string): boolean =>
    reader.isReadable(claude) &&
    folder.split("/").every((_, index, parts) =>
      reader.entriesOf(joinPath(claude, ...parts.slice(0, index + 1))) !== null
    );
  const known = [...SPECS_BY_FOLDER].filter(([folder]) => isReal(folder))
    .map(([folder, specs]): [string, Specs] => [joinPath(claude, folder), specs]);
  const spills = isReal(SPILL_FOLDER)
    ? spillFolders(joinPath(claude, SPILL_FOLDER), MAX_SPILL_DEPTH, reader)
    : [];
  return [...known, ...spills.map((folder): [string, Specs] => [folder, [SPILL_FILE]])];
}

function spillFolders(folder: string, depth: number, reader: FolderReader): string[] {
  if (depth === 0) return [folder];
  const inner = (reader.entriesOf(folder) ?? []).filter(({ isDirectory }) => isDirectory);
  const below = inner.map(({ name }) => joinPath(folder, name));
  return [folder, ...below.flatMap((path) => spillFolders(path, depth - 1, reader))];
}

/** `folder` is relative to `.claude`. */
function isOwnFolder(folder: string): boolean {
  return SPECS_BY_FOLDER.has(folder) || folder === SPILL_FOLDER ||
    folder.startsWith(`${SPILL_FOLDER}/`);
}

function kindOf(path: string, name: string, specs: Specs): OwnKind | null {
  if (TEMPORARY_NAME.test(name)) return "temporary";
  if (LOCK_NAME.test(name)) return "housekeeping";
  if (isIgnoreName(name)) return isOwnIgnoreFile(path) ? "housekeeping" : null;
  return specs.find((spec) => spec.name.test(name))?.kind ?? null;
}

/** Returns false for an ignore file with different content, which belongs to the user. */
function isOwnIgnoreFile(path: string): boolean {
  if (Deno.lstatSync(path).size !== IGNORE_EVERYTHING.length) return false;
  // An unreadable ignore file counts as trimtab's own, because a run with sudo may have written it.
  const text = unlessFailed(() => readTextSync(path, IGNORE_EVERYTHING.length));
  return (text ?? IGNORE_EVERYTHING) === IGNORE_EVERYTHING;
}

function ownFileAt(path: string, kind: OwnKind): OwnFile | null {
  const info = infoOf(path);
  if (info?.isFile !== true) return null;
  return { path, kind, bytes: info.size, mtimeMs: info.mtime?.getTime() ?? Infinity };
}
