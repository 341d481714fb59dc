/** Locates and lists a project's saves, and checks which of them trimtab wrote on this machine. */

import { DAY_MS } from "../core/time.ts";
import { UUID_PATTERN } from "../core/uuid.ts";
import { listFolder, removeFile, sizeOf, unlessFailed } from "../store/exists.ts";
import { reasonOf } from "../store/atomic.ts";
import { dropMark, isMarkedAsOwn, markAsOwn, type OwnPlace } from "../store/own_marks.ts";
import { readOwnTextOrNull, readOwnTextSync, refuseLinks } from "../store/own_file.ts";
import { fileName, isAbsolutePath, joinPath, projectOf } from "../store/paths.ts";
import { sha256Hex } from "../store/sha256.ts";
import { metaOfSave, metaOfText } from "./views/checkpoint_view.ts";
import { MAX_SAVE_BYTES, readSave } from "./read.ts";
import type { CheckpointMeta, ContextSnapshot } from "./save.ts";

/** The purpose of a save: for safety, to be restored by name, or for the next session. */
export type SaveKind = "checkpoint" | "snapshot" | "handoff";

/** The default folder of a project's snapshots. */
export const SNAPSHOT_DIR = ".claude/runtime/context-snapshots/";

/** Location of snapshots. */
export interface SnapshotPlace {
  /** The project's folder. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The folder of snapshots; a relative path is resolved against the project. @default {SNAPSHOT_DIR} */
  readonly snapshotDir?: string;
  /**
   * Claude Code's configuration folder, whose key marks the saves of this machine; undefined if there is none.
   *
   * @default {findConfigDir()}
   */
  readonly configDir?: string | undefined;
}

/** A row of the list of checkpoints. */
export interface CheckpointRow
  extends Omit<CheckpointMeta, "usage_percent" | "parent" | "partial" | "summary"> {
  /** The path of the Markdown, or of the JSON if the Markdown is missing. */
  readonly path: string;
  /** The current task and the number of modified files. */
  readonly summary: string;
}

export interface SaveFiles {
  readonly kind: SaveKind;
  /** The file name without its extension. */
  readonly id: string;
  /**
   * The JSON's path; null if there is only Markdown, as written by version 0.1.0 and other tools, or if only
   * the Markdown can be read.
   */
  readonly json: string | null;
  /** The Markdown's path; null if there is none. */
  readonly view: string | null;
}

export interface FoundSave extends SaveFiles {
  /** The path of the Markdown or, if it is missing, of the JSON. */
  readonly path: string;
  /** Time of the save, ISO 8601; empty if unreadable. */
  readonly created: string;
  /** The session's id; empty if unknown. */
  readonly sessionId: string;
  /** A one-line description; empty if there is none. */
  readonly summary: string;
  /** A checkpoint's number within the project; 1 for other kinds. */
  readonly iteration: number;
  /** Size of the JSON or, if there is none, of the Markdown, in bytes. */
  readonly bytes: number;
  /** Facts about the save, with the id from its file name; null if unreadable. */
  readonly meta: CheckpointMeta | null;
  readonly save: ContextSnapshot | null;
  /** Reason why the save cannot be used; null if it can be used. */
  readonly problem: string | null;
}

export const MAX_VIEW_BYTES = 1024 * 1024;

/**
 * Maximum number of files listed for each kind. The files with the alphabetically last names are listed. Except
 * for handoffs, these are the newest files.
 */
const MAX_FILES = 2_000;

const MAX_SHOWN_IDS = 3;

export const CHECKPOINT_ID = String.raw`\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?`;
export const SNAPSHOT_ID = String.raw`\d{8}_\d{6}(?:-\d{1,6})?`;
/** An earlier version put the claiming session's id in the name of a handoff. */
export const CLAIM_SUFFIX = String.raw`\.claimed-${UUID_PATTERN}\.\d{1,16}`;

/** The folder of each kind, and the pattern of its file names. Other files in the folder are ignored. */
const KINDS: { readonly [kind in SaveKind]: { readonly folder: string; readonly name: RegExp } } = {
  checkpoint: {
    folder: ".claude/checkpoints",
    name: new RegExp(`^(${CHECKPOINT_ID})\\.(md|json)$`),
  },
  snapshot: { folder: SNAPSHOT_DIR, name: new RegExp(`^(${SNAPSHOT_ID})\\.(json)$`) },
  handoff: {
    folder: ".claude/trimtab/handoffs",
    name: new RegExp(`^(${UUID_PATTERN})(?:${CLAIM_SUFFIX})?\\.(json)$`, "i"),
  },
};

/** Caches saves that were read, because writing a save reads all saves several times. */
const CACHE = new Map<string, { readonly stamp: string; readonly found: FoundSave | null }>();

export function saveFolder(kind: SaveKind, place: SnapshotPlace = {}): string {
  const { folder } = KINDS[kind];
  const named = kind === "snapshot" ? place.snapshotDir ?? folder : folder;
  const path = named.replace(/(?<=.)[/\\]+$/, "");
  return isAbsolutePath(path) ? path : joinPath(projectOf(place), path);
}

/**
 * Lists saves, newest first. A checkpoint or a snapshot that cannot be read, and a handoff without its
 * prompt, have a `problem`. A handoff that cannot be read is left out.
 */
export function listSaves(kind: SaveKind, place: SnapshotPlace = {}): FoundSave[] {
  const folder = saveFolder(kind, place);
  refuseLinks(folder);
  const names = listFolder(folder).flatMap(({ name }) => {
    const [, id, suffix] = KINDS[kind].name.exec(name) ?? [];
    return id === undefined ? [] : [{ name, id, isJson: suffix === "json" }];
  });
  const idsWithJson = new Set(names.flatMap(({ id, isJson }) => isJson ? id : []));
  return names.filter(({ id, isJson }) => isJson || !idsWithJson.has(id))
    .sort((a, b) => a.name < b.name ? -1 : 1).slice(-MAX_FILES)
    .flatMap(({ name, id, isJson }) => {
      const json = isJson ? joinPath(folder, name) : null;
      const view = kind === "snapshot" ? null : joinPath(folder, `${id}.md`);
      return readFound({ kind, id, json, view }) ?? [];
    }).sort(newestFirst);
}

export function readableSaves(kind: SaveKind, place: SnapshotPlace): FoundSave[] {
  return listSaves(kind, place).filter(({ problem }) => problem === null);
}

export function listCheckpoints(place: { readonly projectDir: string }): CheckpointRow[] {
  return readableSaves("checkpoint", place).map((found) => rowOf(found, place.projectDir));
}

export function rowOf(found: FoundSave, project: string): CheckpointRow {
  const { id, path, meta, iteration, summary, sessionId: session_id } = found;
  const { trigger = "manual", verified = false, created = found.created } = meta ?? {};
  return { id, path, project, created, trigger, verified, iteration, summary, session_id };
}

/**
 * Finds a save by its id, a unique prefix of its id, or a snapshot's name. `latest` finds the newest of the
 * first kind that has a readable save. Throws a RangeError if a prefix is not unique.
 */
export function findSave(
  wanted: string,
  kinds: readonly SaveKind[],
  place: SnapshotPlace = {},
): FoundSave | null {
  const all = kinds.flatMap((kind) => listSaves(kind, place));
  if (wanted === "latest") return all.find(({ problem }) => problem === null) ?? null;
  const exact = all.find(({ id }) => id === wanted) ??
    all.find(({ kind, save }) => kind === "snapshot" && save?.name === wanted);
  if (exact !== undefined || wanted === "") return exact ?? null;
  const matching = all.filter(({ id }) => id.startsWith(wanted));
  if (matching.length <= 1) return matching[0] ?? null;
  throw new RangeError(
    `Cannot find ${kinds.join(" or ")} ${JSON.stringify(wanted)}: ${matching.length} ids start ` +
      `with it, such as ${matching.slice(0, MAX_SHOWN_IDS).map(({ id }) => id).join(", ")}. ` +
      "Give a full id",
  );
}

export function checkpointFiles(path: string): SaveFiles & { json: string; view: string } {
  const base = path.replace(/\.(?:md|json)$/, "");
  return { kind: "checkpoint", id: fileName(base), json: `${base}.json`, view: `${base}.md` };
}

/**
 * Returns null if the files contain no save, or a handoff that cannot be read. A checkpoint or a snapshot
 * that cannot be read, and a handoff without its prompt, have a `problem`.
 */
export function readFound(files: SaveFiles): FoundSave | null {
  const { kind, id } = files;
  const jsonStamp = stampOf(files.json, MAX_SAVE_BYTES);
  const viewStamp = stampOf(files.view, MAX_VIEW_BYTES);
  const key = files.json ?? files.view ?? "";
  const stamp = `${jsonStamp} ${viewStamp}`;
  const known = CACHE.get(key);
  if (known?.stamp === stamp) return known.found;
  const hasJson = kind !== "checkpoint" || jsonStamp !== null;
  const { save, problem } = tryReadSave(hasJson ? files.json : null);
  const view = viewStamp === null ? null : files.view;
  const hasOnlyView = kind === "checkpoint" && save === null && view !== null;
  const text = hasOnlyView ? readOwnTextOrNull(view, MAX_VIEW_BYTES) ?? "" : "";
  const meta = save === null ? metaOfText(text) : metaOfSave(save);
  // The id in a handoff's file name must be the id of its session.
  const matchesFileName = kind !== "handoff" || save?.session_id === id;
  const path = view ?? files.json;
  const found: FoundSave | null =
    path === null || !matchesFileName || (meta === null && problem === null) ? null : {
      ...files,
      json: save === null && meta !== null ? null : files.json,
      view,
      path,
      created: save?.timestamp ?? meta?.created ?? "",
      sessionId: meta?.session_id ?? "",
      summary: (kind === "checkpoint" ? meta?.summary : save?.name) ?? "",
      iteration: meta?.iteration ?? 1,
      bytes: sizeOf(files.json ?? path),
      // The file name determines the id, even if the file was copied.
      meta: meta === null ? null : { ...meta, id },
      save,
      problem: meta === null
        ? problem
        : kind === "handoff" && view === null
        ? "Its prompt is missing."
        : null,
    };
  if (CACHE.size >= MAX_FILES) CACHE.clear();
  // Unreadable saves are not cached, so that the next call tries again.
  if (problem === null) CACHE.set(key, { stamp, found });
  return found;
}

export function readView(
  { view, save }: Pick<FoundSave, "view" | "save">,
): { readonly text: string; readonly isEdited: boolean } | null {
  const text = view === null ? null : readOwnTextOrNull(view, MAX_VIEW_BYTES);
  return text === null ? null : { text, isEdited: sha256Hex(text) !== save?.view_sha256 };
}

/** Whether trimtab wrote every file of a save on this machine, or the user trusted the save. */
export function isOwnSave(found: SaveFiles, place: OwnPlace & SnapshotPlace): boolean {
  // The caller chose this folder by its absolute path. Files there are saved without marks.
  if (found.kind === "snapshot" && isAbsolutePath(place.snapshotDir ?? "")) return true;
  return filesOf(found).every((path) => {
    const text = readOwnTextSync(path, MAX_SAVE_BYTES);
    return text !== null && isMarkedAsOwn(place, saveMarkName(found, path), text);
  });
}

export function trustSave(found: SaveFiles, place: OwnPlace): void {
  for (const path of filesOf(found)) {
    const text = readOwnTextSync(path, MAX_SAVE_BYTES);
    if (text === null) {
      throw new TypeError(
        `Cannot trust ${path}: it is missing, too large, or not a file in the project`,
      );
    }
    markAsOwn(place, saveMarkName(found, path), text);
  }
}

/** Both files of a handoff share one mark. */
export function saveMarkName({ kind, id }: Pick<SaveFiles, "kind" | "id">, path: string): string {
  return kind === "handoff" ? `${id}.handoff` : fileName(path);
}

/** Lists the JSON first, so that an interrupted removal leaves no JSON without its Markdown. */
export function filesOf({ json, view }: SaveFiles): string[] {
  return [json, view].filter((path) => path !== null);
}

interface OldOptions extends OwnPlace {
  readonly retentionDays: number;
  readonly nowMs: number;
  /** A save to keep regardless of its age, such as the save just written. */
  readonly keepId?: string;
}

/**
 * Lists expired saves that trimtab wrote on this machine, except the newest checkpoint or snapshot of each
 * session. Handoffs are kept for at least a day.
 */
export function oldSaves(kind: SaveKind, options: OldOptions): FoundSave[] {
  const isHandoff = kind === "handoff";
  const days = isHandoff ? Math.max(1, options.retentionDays) : options.retentionDays;
  const oldest = options.nowMs - days * DAY_MS;
  const sessions = new Set<string>();
  return readableSaves(kind, { projectDir: options.projectDir }).filter((found) => {
    const isNewest = !isHandoff && !sessions.has(found.sessionId);
    sessions.add(found.sessionId);
    return !isNewest && found.id !== options.keepId && Date.parse(found.created) < oldest &&
      isOwnSave(found, options);
  });
}

export function removeSave(found: SaveFiles, projectDir: string): void {
  for (const path of filesOf(found)) {
    removeFile(path);
    dropMark(projectDir, saveMarkName(found, path));
  }
}

type SortFields = Pick<FoundSave, "id" | "created" | "iteration">;

export function newestFirst(a: SortFields, b: SortFields): number {
  // Checkpoint numbers increase even if the clock is set back.
  return b.iteration - a.iteration || (Date.parse(b.created) || 0) - (Date.parse(a.created) || 0) ||
    b.id.length - a.id.length || (a.id < b.id ? 1 : -1);
}

function tryReadSave(path: string | null): Pick<FoundSave, "save" | "problem"> {
  if (path === null) return { save: null, problem: null };
  try {
    return { save: readSave(path), problem: null };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // The file is damaged, was written by a newer version, or was deleted in the meantime.
    return { save: null, problem: reasonOf(error) };
  }
}

/**
 * Returns a stamp that changes when the file is rewritten; null for links, which could lead anywhere, and for a
 * file that is missing, too large or not regular.
 */
function stampOf(path: string | null, maxBytes: number): string | null {
  const info = path === null ? null : unlessFailed(() => Deno.lstatSync(path));
  if (info === null || !info.isFile || info.size > maxBytes) return null;
  return `${info.ino} ${info.size} ${info.mtime?.getTime()}`;
}
