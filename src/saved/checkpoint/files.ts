/** The checkpoints of a project, as their files tell. */

import { isMissing } from "../../config/files.ts";
import { fileName, joinPath } from "../../store/paths.ts";
import { summaryOf } from "./checkpoint.ts";
import { type CheckpointMeta, type CheckpointTrigger, parseCheckpoint } from "./parse.ts";
import { MAX_CHECKPOINT_BYTES } from "./sections.ts";
import { readCheckpointState } from "./state.ts";
import { refuseLinks } from "../../store/own_file.ts";
import { readTextSync } from "../../store/read_file.ts";

/** What is known of a checkpoint without opening it. */
export interface CheckpointRow {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** The file. */
  readonly path: string;
  /** The folder of the project. */
  readonly project: string;
  /** When it was made, ISO 8601. */
  readonly created: string;
  /** What made it. */
  readonly trigger: CheckpointTrigger;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** Its number among all of the project, from 1. */
  readonly iteration: number;
  /** The task and the count of files. */
  readonly summary: string;
  /** The session; empty where it is not known. */
  readonly session_id: string;
}

/** A checkpoint that was found, with its text. */
export interface FoundCheckpoint extends CheckpointRow {
  /** The whole file. */
  readonly text: string;
  /** Its front matter, with the id under which it is found. */
  readonly meta: CheckpointMeta;
}

/** How the file of a checkpoint is called; nothing else in the folder is ours. */
const FILE_NAME = /^\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?\.md$/;

/** No more files of a project are looked at, the newest by their names. */
const MAX_FILES = 2_000;

/** What was read in this process: to save one checkpoint all of them are looked at several times. */
const READ = new Map<
  string,
  {
    readonly stamp: string;
    readonly project: string;
    readonly found: FoundCheckpoint | null;
  }
>();

export function checkpointFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "checkpoints");
}

/**
 * Lists the checkpoints of a project by their files, so that it is always true.
 *
 * Files that are not called like a checkpoint or have no front matter of one are passed over.
 *
 * Permissions: `--allow-read` for the folder.
 *
 * @param options The project.
 * @returns The newest first; none when there is no folder.
 * @throws {Error} Whatever the system says when the folder may not be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { listCheckpoints } from "./files.ts";
 *
 * assertEquals(listCheckpoints({ projectDir: "/nowhere" }), []);
 * ```
 */
export function listCheckpoints(options: { readonly projectDir: string }): CheckpointRow[] {
  return readCheckpoints(options.projectDir).map(rowOf);
}

/**
 * Finds a checkpoint of a project.
 *
 * Permissions: `--allow-read` for the folder.
 *
 * @param name An id, the beginning of just one id, or `latest`.
 * @param options The project.
 * @returns The checkpoint, or null when there is none of that name.
 * @throws {RangeError} When several ids begin like that.
 * @throws {Error} Whatever the system says when the folder may not be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findCheckpoint } from "./files.ts";
 *
 * assertEquals(findCheckpoint("latest", { projectDir: "/nowhere" }), null);
 * ```
 */
export function findCheckpoint(
  name: string,
  options: { readonly projectDir: string },
): FoundCheckpoint | null {
  const all = readCheckpoints(options.projectDir);
  if (name === "latest") return all[0] ?? null;
  const exact = all.find(({ id }) => id === name);
  if (exact !== undefined || name === "") return exact ?? null;
  const [first, ...others] = all.filter(({ id }) => id.startsWith(name));
  if (others.length === 0) return first ?? null;
  throw new RangeError(
    `Cannot find checkpoint "${name}": ${others.length + 1} ids start with that, such as ${
      [first, ...others].slice(0, 3).map((one) => one?.id).join(", ")
    }`,
  );
}

export function newestOfSession(
  sessionId: string,
  options: { readonly projectDir: string },
): FoundCheckpoint | null {
  if (sessionId === "") return null;
  return readCheckpoints(options.projectDir).find((one) => one.session_id === sessionId) ?? null;
}

export function readCheckpoints(projectDir: string): FoundCheckpoint[] {
  const folder = checkpointFolder(projectDir);
  const names = namesIn(folder).filter((name) => FILE_NAME.test(name)).sort().slice(-MAX_FILES);
  return names.map((name) => readFile(joinPath(folder, name), name, projectDir))
    .filter((found) => found !== null).sort(newestFirst);
}

export function readCheckpoint(path: string, projectDir: string): FoundCheckpoint | null {
  return readFile(path, fileName(path), projectDir);
}

export function rowOf(found: CheckpointRow): CheckpointRow {
  const { id, path, project, created, trigger, verified, iteration, summary, session_id } = found;
  return { id, path, project, created, trigger, verified, iteration, summary, session_id };
}

export function newestFirst(a: CheckpointRow, b: CheckpointRow): number {
  // The numbers go up even where the clock was put back.
  return b.iteration - a.iteration || Date.parse(b.created) - Date.parse(a.created) ||
    (a.id < b.id ? 1 : -1);
}

function namesIn(folder: string): string[] {
  refuseLinks(folder);
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The file's name is its id and its folder its project, also after it was copied or moved. */
function readFile(path: string, name: string, project: string): FoundCheckpoint | null {
  const stamp = stampOf(path);
  if (stamp === null) return null;
  const known = READ.get(path);
  if (known?.stamp === stamp && known.project === project) return known.found;
  const found = parseFile(path, name, project);
  if (READ.size >= MAX_FILES) READ.clear();
  READ.set(path, { stamp, project, found });
  return found;
}

function parseFile(path: string, name: string, project: string): FoundCheckpoint | null {
  const text = textOf(path);
  if (text === null) return null;
  const { meta } = parseCheckpoint(text);
  if (meta === null) return null;
  const { created, trigger, verified, iteration, session_id } = meta;
  const summary = meta.summary ?? summaryOf(readCheckpointState(text).state);
  const id = name.slice(0, -".md".length);
  const row = { id, path, project, created, trigger, verified, iteration, summary, session_id };
  return { ...row, text, meta: { ...meta, id } };
}

/** What changes when a file is written anew; null for what is no file of ours: a link could lead anywhere. */
function stampOf(path: string): string | null {
  try {
    const { isFile, size, mtime, ino } = Deno.lstatSync(path);
    return isFile && size <= MAX_CHECKPOINT_BYTES ? `${ino} ${size} ${mtime?.getTime()}` : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    return readTextSync(path, MAX_CHECKPOINT_BYTES);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // Pruned since the folder was read, or not ours to read.
    return null;
  }
}
