/** Finds the files that trimtab writes in a project. */

import { entriesOf, infoOf, listFolder, removeFile, unlessFailed } from "../../store/exists.ts";
import { IGNORE_EVERYTHING, isIgnoreName } from "../../core/ignore_file.ts";
import { leadsThroughLink } from "../../store/own_file.ts";
import { joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";
import { CHECKPOINT_ID, CLAIM_SUFFIX, SNAPSHOT_ID } from "../../saved/store.ts";
import { TEMPORARY_PREFIX } from "../../store/atomic.ts";
import { UUID_PATTERN } from "../../core/uuid.ts";

export type OwnKind =
  | "checkpoint"
  | "snapshot"
  | "lineage"
  | "blackboard"
  | "events"
  | "state"
  | "handoff"
  | "output"
  | "report"
  | "mark"
  | "transcript"
  | "temporary"
  | "housekeeping";

/** Matches temporary files, which remain if a process is killed while it writes. */
const TEMPORARY_NAME = new RegExp(
  `^${RegExp.escape(TEMPORARY_PREFIX)}[0-9a-f-]{36}$`,
);

const KEPT_NAME = new RegExp(`^${UUID_PATTERN}\\.jsonl$`);

/** Matches lock files in any of trimtab's folders, such as `.lock` and `.index.lock.held`. */
const LOCK_NAME = /^\.(?:[a-z]+\.)?lock(?:\.held)?$/;

const SPILL_FOLDER = "trimtab/spill";

interface FileSpec {
  /** Path relative to the project's `.claude`. */
  readonly folder: string;
  readonly kind: OwnKind;
  readonly name: RegExp;
}

function fileSpec(folder: string, kind: OwnKind, name: string): FileSpec {
  return { folder, kind, name: new RegExp(`^(?:${name})$`, "i") };
}

const SAVED = String.raw`${CHECKPOINT_ID}\.(?:md|json)`;

const LOCKED = "blackboard.jsonl|events.jsonl|live.jsonl|iteration|watch".replaceAll(".", "\\.");

/**
 * All files that trimtab writes in a project, except its outputs. Folders that are not listed belong to other
 * programs. `tools/reference_files.ts` describes the files.
 */
const OWN_FILES: readonly FileSpec[] = [
  fileSpec("checkpoints", "checkpoint", SAVED),
  fileSpec("runtime/context-snapshots", "snapshot", String.raw`${SNAPSHOT_ID}\.json`),
  fileSpec("trimtab", "lineage", String.raw`sessions(?:\.damaged-[\dTZ.-]{22})?\.json`),
  fileSpec("trimtab", "blackboard", String.raw`blackboard(?:\.1)?\.jsonl`),
  fileSpec("trimtab", "events", String.raw`(?:events|live)(?:\.1)?\.jsonl`),
  fileSpec("trimtab", "state", String.raw`iteration|left\.json`),
  fileSpec("trimtab", "housekeeping", String.raw`(?:${LOCKED})\.lock(?:\.held)?|watch\.json`),
  fileSpec("trimtab/state", "state", String.raw`${UUID_PATTERN}(?:\.inside)?\.json`),
  fileSpec(
    "trimtab/handoffs",
    "handoff",
    String.raw`${UUID_PATTERN}(?:\.md|(?:${CLAIM_SUFFIX})?\.json)`,
  ),
  fileSpec(
    "trimtab/marks",
    "mark",
    String.raw`${UUID_PATTERN}\.handoff|${SAVED}|${SNAPSHOT_ID}\.json|(?:work|project)\.toml`,
  ),
  fileSpec("trimtab/reports", "report", String.raw`(?:${UUID_PATTERN}|project|session)\.html`),
];

const SPILL_FILE: FileSpec = { folder: SPILL_FOLDER, kind: "output", name: /^[^.]/ };

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
  /** Folders that the user cannot read, for example after a run with sudo. */
  readonly unreadable: readonly string[];
}

/** Deepest folder of outputs, relative to `.claude`. */
const MAX_DEPTH = 6;

const SPECS_BY_FOLDER: ReadonlyMap<string, readonly FileSpec[]> = Map.groupBy(
  OWN_FILES,
  ({ folder }) => folder,
);

export function findOwnFiles(projectDir: string): OwnFiles {
  const claude = joinPath(projectDir, ".claude");
  const files: OwnFile[] = [];
  const folders: string[] = [];
  const others: string[] = [];
  const unreadable: string[] = [];
  // Does not follow links below `.claude`. `folder` is relative to it.
  const addFolder = (folder: string): void => {
    const path = joinPath(claude, folder);
    const entries = unlessDenied(() => listFolder(path));
    if (entries === null) {
      unreadable.push(path);
      return;
    }
    const specs = isSpillFolder(folder) ? [SPILL_FILE] : SPECS_BY_FOLDER.get(folder);
    if (specs !== undefined) folders.push(path);
    for (const { name, isFile, isDirectory } of entries) {
      const [inner, entry] = [joinPath(folder, name), joinPath(path, name)];
      if (isDirectory && leadsToOwnFolder(inner)) {
        addFolder(inner);
      } else if (specs !== undefined) {
        const kind = isFile ? kindOf(entry, name, specs) : null;
        const file = kind === null ? null : ownFileAt(entry, kind);
        if (file === null) others.push(entry);
        else files.push(file);
      }
    }
  };
  // A repository can contain a link at `.claude`; files at its target belong to another project.
  if (leadsThroughLink(claude)) others.push(claude);
  else addFolder("");
  return {
    files: files.sort((a, b) => a.path < b.path ? -1 : 1),
    folders: folders.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    others: others.sort(),
    unreadable,
  };
}

function unlessDenied<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return null;
    throw error;
  }
}

function leadsToOwnFolder(folder: string): boolean {
  return folder.split("/").length <= MAX_DEPTH && isSpillFolder(folder) ||
    [...SPECS_BY_FOLDER.keys(), SPILL_FOLDER].some((known) => `${known}/`.startsWith(`${folder}/`));
}

function isSpillFolder(folder: string): boolean {
  return `${folder}/`.startsWith(`${SPILL_FOLDER}/`);
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

function kindOf(path: string, name: string, specs: readonly FileSpec[]): OwnKind | null {
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
