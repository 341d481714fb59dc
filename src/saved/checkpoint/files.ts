/** The checkpoints of a project: the JSON that trimtab reads, and the Markdown beside it for people. */

import { isMissing } from "../../config/files.ts";
import { fileName, joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";
import { refuseLinks } from "../../store/own_file.ts";
import { digestOf } from "../../store/sha256.ts";
import { MAX_SNAPSHOT_BYTES, readSnapshot } from "../snapshot/read.ts";
import type { ContextSnapshot, SaveReason } from "../snapshot/snapshot.ts";
import { type CheckpointMeta, metaOfSave, metaOfText } from "./meta.ts";

/** A row of the list of checkpoints. */
export interface CheckpointRow {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** The file with its Markdown; its JSON where the Markdown is gone. */
  readonly path: string;
  /** The folder of the project. */
  readonly project: string;
  /** When it was made, ISO 8601. */
  readonly created: string;
  /** The reason for the save. */
  readonly trigger: SaveReason;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** Its number among all of the project, from 1. */
  readonly iteration: number;
  /** The task and the count of files. */
  readonly summary: string;
  /** The session; empty where it is not known. */
  readonly session_id: string;
}

/** A checkpoint that was found. */
export interface FoundCheckpoint extends CheckpointRow {
  /** Facts about it, with the id under which it is found. */
  readonly meta: CheckpointMeta;
  /** The save; null for Markdown alone, as version 0.1.0 and other tools write it. */
  readonly save: ContextSnapshot | null;
}

/** No Markdown of a checkpoint is larger, in bytes. */
export const MAX_CHECKPOINT_BYTES = 1024 * 1024;

/** Names of the files of a checkpoint; nothing else in the folder is ours. */
const FILE_NAME = /^(\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?)\.(?:md|json)$/;

/** No more checkpoints of a project are looked at, the newest by their names. */
const MAX_FILES = 2_000;

/** Saving one checkpoint looks at all others several times. */
const READ = new Map<
  string,
  { readonly stamp: string; readonly project: string; readonly found: FoundCheckpoint | null }
>();

export function checkpointFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "checkpoints");
}

/** Names both files of a checkpoint by either. */
export function checkpointPaths(path: string): { readonly json: string; readonly view: string } {
  const base = path.replace(/\.(?:md|json)$/, "");
  return { json: `${base}.json`, view: `${base}.md` };
}

/**
 * Lists the checkpoints of a project by their files, so that it is always true.
 *
 * Files with other names and files that cannot be read are passed over.
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
  return readCheckpoints(options.projectDir).map(({ meta: _meta, save: _save, ...row }) => row);
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
  const ids = new Set(namesIn(folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []));
  return [...ids].sort().slice(-MAX_FILES)
    .map((id) => readCheckpoint(joinPath(folder, `${id}.md`), projectDir))
    .filter((found) => found !== null).sort(newestFirst);
}

/** Reads a checkpoint by the path of either of its files. */
export function readCheckpoint(path: string, projectDir: string): FoundCheckpoint | null {
  const { json, view } = checkpointPaths(path);
  const [stamp, viewStamp] = [
    stampOf(json, MAX_SNAPSHOT_BYTES),
    stampOf(view, MAX_CHECKPOINT_BYTES),
  ];
  if (stamp === null && viewStamp === null) return null;
  const both = `${stamp} ${viewStamp}`;
  const known = READ.get(view);
  if (known?.stamp === both && known.project === projectDir) return known.found;
  const save = stamp === null ? null : saveIn(json);
  const meta = save === null ? metaIn(view, viewStamp) : metaOfSave(save);
  // The file's name is its id and its folder its project, also after it was copied or moved.
  const id = fileName(view).slice(0, -".md".length);
  const found = meta === null ? null : {
    id,
    path: viewStamp === null ? json : view,
    project: projectDir,
    created: meta.created,
    trigger: meta.trigger,
    verified: meta.verified,
    iteration: meta.iteration,
    summary: meta.summary ?? "",
    session_id: meta.session_id,
    meta: { ...meta, id },
    save,
  };
  if (READ.size >= MAX_FILES) READ.clear();
  READ.set(view, { stamp: both, project: projectDir, found });
  return found;
}

/** The Markdown of a checkpoint, and whether it is another one than was saved; null where it is gone. */
export function readView(
  found: Pick<FoundCheckpoint, "path" | "save">,
): { readonly text: string; readonly isEdited: boolean } | null {
  const text = textOf(checkpointPaths(found.path).view);
  if (text === null) return null;
  return { text, isEdited: digestOf(text) !== found.save?.view_sha256 };
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

function saveIn(path: string): ContextSnapshot | null {
  try {
    return readSnapshot(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // Damaged, of a newer version, or pruned since the folder was read.
    return null;
  }
}

function metaIn(path: string, stamp: string | null): CheckpointMeta | null {
  const text = stamp === null ? null : textOf(path);
  return text === null ? null : metaOfText(text);
}

/** Changes when a file is written anew; null for anything but a file: a link could lead anywhere. */
function stampOf(path: string, maxBytes: number): string | null {
  try {
    const { isFile, size, mtime, ino } = Deno.lstatSync(path);
    return isFile && size <= maxBytes ? `${ino} ${size} ${mtime?.getTime()}` : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    refuseLinks(path.slice(0, path.lastIndexOf("/")));
    return Deno.lstatSync(path).isFile ? readTextSync(path, MAX_CHECKPOINT_BYTES) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}
