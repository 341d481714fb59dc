/** Lists and finds the snapshots of a project. */

import { reasonOf } from "../../store/atomic.ts";
import { isOurs } from "../../store/ours.ts";
import { fileName, isAbsolutePath, joinPath } from "../../store/paths.ts";
import { MAX_SNAPSHOT_BYTES, readSnapshot, SnapshotNotFoundError } from "./read.ts";
import { projectOf, snapshotFolder, type SnapshotPlace } from "./place.ts";
import { readOwnTextSync, refuseLinks, refuseOthers } from "../../store/own_file.ts";

const MAX_LISTED = 1_000;

const MAX_NAMED = 5;

const FILE_NAME = /^([0-9]{8}_[0-9]{6})(?:-([0-9]{1,6}))?\.json$/;

const LATEST = "latest";

/** A file of the snapshots' folder. */
export interface SnapshotFile {
  /** The snapshot's id, as the file's name tells it. */
  readonly id: string;
  /** The file. */
  readonly path: string;
  /** The name that a person gave it. */
  readonly name: string | null;
  /** When it was saved, ISO 8601; null where the file cannot be read. */
  readonly timestamp: string | null;
  /** The session that it is of, where it is known. */
  readonly session_id: string | null;
  /** The file's size in bytes. */
  readonly bytes: number;
  /** Why it cannot be used; null where it can. */
  readonly problem: string | null;
}

/**
 * Lists the snapshots of a project. One that cannot be read is listed with its problem.
 *
 * Permissions: `--allow-read` for the folder.
 *
 * @param place Where they are.
 * @returns The snapshots, newest first; none where there is no folder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { listSnapshotFiles } from "./list.ts";
 *
 * assertEquals(listSnapshotFiles({ projectDir: "/nowhere" }), []);
 * ```
 */
export function listSnapshotFiles(place: SnapshotPlace = {}): SnapshotFile[] {
  return eachSnapshotFile(place).toArray();
}

/**
 * Finds a snapshot.
 *
 * Permissions: `--allow-read` for the folder, or for the file that is named; for `latest` also for
 * the key in the configuration folder, and `--allow-env` to find that.
 *
 * @param wanted `latest` for the newest that can be read and was written on this machine, an id or
 * the beginning of one, a name, or the path of a file.
 * @param place Where the snapshots are.
 * @returns The path of its file.
 * @throws {SnapshotNotFoundError} When there is none.
 * @throws {RangeError} When the beginning of an id fits several.
 */
export function findSnapshot(wanted: string = LATEST, place: SnapshotPlace = {}): string {
  const folder = snapshotFolder(place);
  const isPath = /[/\\]/.test(wanted) || wanted.endsWith(".json");
  // A name that somebody gave may hold a slash, too.
  if (isPath && (isFile(wanted) || !eachSnapshotFile(place).some(({ name }) => name === wanted))) {
    return findPath(wanted, folder);
  }
  const files = eachSnapshotFile(place);
  if (wanted === LATEST) {
    const newest = files.find(({ path, problem }) => problem === null && isOwn(path, place));
    if (newest !== undefined) return newest.path;
    throw new SnapshotNotFoundError(
      `Cannot find a snapshot: ${folder} has none that can be read and was written on this ` +
        "machine. Save one with `trimtab snapshot`, or name one",
    );
  }
  const all = files.toArray();
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted);
  return (found ?? findPrefix(wanted, all, folder)).path;
}

/** A folder outside of the project is its caller's choice: nothing there has a mark. */
function isOwn(path: string, place: SnapshotPlace): boolean {
  if (isAbsolutePath(place.snapshotDir ?? "")) return true;
  const text = readOwnTextSync(path, MAX_SNAPSHOT_BYTES);
  return text !== null && isOurs({ projectDir: projectOf(place) }, fileName(path), text);
}

function findPath(wanted: string, folder: string): string {
  const paths = /[/\\]/.test(wanted) ? [wanted] : [joinPath(folder, wanted), wanted];
  const path = paths.find(isFile);
  if (path !== undefined) return path;
  throw new SnapshotNotFoundError(
    `Cannot find snapshot: there is no file ${JSON.stringify(wanted)}. ` +
      "Run `trimtab list` to see them",
  );
}

function findPrefix(wanted: string, files: readonly SnapshotFile[], folder: string): SnapshotFile {
  const fitting = wanted === "" ? [] : files.filter(({ id }) => id.startsWith(wanted));
  const [first, ...others] = fitting;
  if (first !== undefined && others.length === 0) return first;
  const shown = JSON.stringify(wanted);
  if (first === undefined) {
    throw new SnapshotNotFoundError(
      `Cannot find snapshot ${shown}: no file in ${folder} has this id or name. ` +
        "Run `trimtab list` to see them",
    );
  }
  const ids = fitting.slice(0, MAX_NAMED).map(({ id }) => id).join(", ");
  throw new RangeError(
    `Cannot tell which snapshot ${shown} is: ${fitting.length} ids start with that, such as ${ids}. ` +
      "Give a full id",
  );
}

function* eachSnapshotFile(place: SnapshotPlace): Generator<SnapshotFile, void, undefined> {
  const folder = snapshotFolder(place);
  for (const file of fileNames(folder)) {
    yield viewFile(file.slice(0, -".json".length), joinPath(folder, file));
  }
}

function viewFile(id: string, path: string): SnapshotFile {
  let bytes = 0;
  try {
    refuseOthers(path);
    bytes = Deno.statSync(path).size;
    const { name, timestamp, session_id } = readSnapshot(path);
    return { id, path, name, timestamp, session_id, bytes, problem: null };
  } catch (error) {
    const unknown = { name: null, timestamp: null, session_id: null };
    return { id, path, ...unknown, bytes, problem: reasonOf(error) };
  }
}

function fileNames(folder: string): string[] {
  let names: string[];
  refuseLinks(folder);
  try {
    names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
  const ours = names.filter((name) => FILE_NAME.test(name));
  return ours.sort(newestFirst).slice(0, MAX_LISTED);
}

function newestFirst(a: string, b: string): number {
  const [, stampA = "", nA = "1"] = FILE_NAME.exec(a) ?? [];
  const [, stampB = "", nB = "1"] = FILE_NAME.exec(b) ?? [];
  if (stampA !== stampB) return stampA < stampB ? 1 : -1;
  return Number(nB) - Number(nA);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
