/** The saves of a project: where each kind is, which there are, and which of them are the user's own. */

import { DAY_MS } from "../core/time.ts";
import { isMissing } from "../config/files.ts";
import { sizeOf } from "../store/exists.ts";
import { reasonOf } from "../store/atomic.ts";
import { dropMark, isOurs, markOurs, type OwnPlace } from "../store/ours.ts";
import { readOwnTextSync, refuseLinks, refuseOthers } from "../store/own_file.ts";
import { fileName, isAbsolutePath, joinPath, projectOf } from "../store/paths.ts";
import { digestOf } from "../store/sha256.ts";
import { type CheckpointMeta, metaOfSave, metaOfText } from "./layout/checkpoint_view.ts";
import { MAX_SAVE_BYTES, readSave } from "./read.ts";
import type { ContextSnapshot, SaveReason } from "./save.ts";

/** A save for safety, one to restore by name, and one for the next session. */
export type SaveKind = "checkpoint" | "snapshot" | "handoff";

/** Where a project keeps its snapshots. */
export const SNAPSHOT_DIR = ".claude/runtime/context-snapshots/";

/** Where the snapshots are. */
export interface SnapshotPlace {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The folder of the snapshots; a relative one starts at the project. @default {SNAPSHOT_DIR} */
  readonly snapshotDir?: string;
}

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

/** The files of a save. */
export interface SaveFiles {
  readonly kind: SaveKind;
  /** The name of its files without their endings. */
  readonly id: string;
  /** Its JSON; null for Markdown alone, as version 0.1.0 and other tools write it. */
  readonly json: string | null;
  /** Its Markdown; null where it has none. */
  readonly view: string | null;
}

/** A save that was found. */
export interface FoundSave extends SaveFiles {
  /** Its Markdown, else its JSON. */
  readonly path: string;
  /** When it was saved, ISO 8601; empty where it cannot be read. */
  readonly created: string;
  /** The session; empty where it is not known. */
  readonly sessionId: string;
  /** A line that describes it. */
  readonly summary: string;
  /** The number of a checkpoint among all of the project; 1 for other kinds. */
  readonly iteration: number;
  /** The size of the file that trimtab reads, in bytes. */
  readonly bytes: number;
  /** Facts about it, under the id by which it is found; null where it cannot be read. */
  readonly meta: CheckpointMeta | null;
  readonly save: ContextSnapshot | null;
  /** Why it cannot be used; null where it can. */
  readonly problem: string | null;
}

/** No Markdown of a save is larger, in bytes. */
export const MAX_VIEW_BYTES = 1024 * 1024;

/** Most files of a kind that are checked, the newest by their names. */
const MAX_FILES = 2_000;

const MAX_NAMED = 3;

const SESSION_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Each kind's folder and the names of its files. Nothing else in the folder is ours. */
const KINDS: { readonly [kind in SaveKind]: { readonly folder: string; readonly name: RegExp } } = {
  checkpoint: {
    folder: ".claude/checkpoints",
    name: /^(\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?)\.(md|json)$/,
  },
  snapshot: { folder: SNAPSHOT_DIR, name: /^([0-9]{8}_[0-9]{6}(?:-[0-9]{1,6})?)\.(json)$/ },
  handoff: {
    folder: ".claude/trimtab/handoffs",
    // An earlier version kept the session that took it in the name.
    name: new RegExp(`^(${SESSION_ID})(?:\\.claimed-${SESSION_ID}\\.\\d{1,16})?\\.(json)$`, "i"),
  },
};

/** Saving looks at all other saves several times. */
const READ = new Map<string, { readonly stamp: string; readonly found: FoundSave | null }>();

export function saveFolder(kind: SaveKind, place: SnapshotPlace = {}): string {
  const { folder } = KINDS[kind];
  const named = kind === "snapshot" ? place.snapshotDir ?? folder : folder;
  const path = named.replace(/(?<=.)[/\\]+$/, "");
  return isAbsolutePath(path) ? path : joinPath(projectOf(place), path);
}

/** Lists saves by their files, so that the list is always true; unreadable ones have a problem. */
export function listSaves(kind: SaveKind, place: SnapshotPlace = {}): FoundSave[] {
  const folder = saveFolder(kind, place);
  const names = namesIn(folder).flatMap((name) => {
    const [, id, ending] = KINDS[kind].name.exec(name) ?? [];
    return id === undefined ? [] : [{ name, id, isJson: ending === "json" }];
  });
  const withJson = new Set(names.flatMap(({ id, isJson }) => isJson ? id : []));
  return names.filter(({ id, isJson }) => isJson || !withJson.has(id))
    .sort((a, b) => a.name < b.name ? -1 : 1).slice(-MAX_FILES)
    .flatMap(({ name, id, isJson }) => {
      const json = isJson ? joinPath(folder, name) : null;
      return readFound({ kind, id, json, view: viewPath(kind, folder, id) }) ?? [];
    }).sort(newestFirst);
}

/** Lists the checkpoints and handoffs that can be read. */
export function readableSaves(kind: SaveKind, place: SnapshotPlace = {}): FoundSave[] {
  return listSaves(kind, place).filter(({ problem }) => problem === null);
}

/** Lists the checkpoints of a project, the newest first. */
export function listCheckpoints(place: { readonly projectDir: string }): CheckpointRow[] {
  return readableSaves("checkpoint", place).map((found) => rowOf(found, place.projectDir));
}

export function rowOf(found: FoundSave, project: string): CheckpointRow {
  const { id, path, meta, iteration, summary, sessionId: session_id } = found;
  const { trigger = "manual", verified = false, created = found.created } = meta ?? {};
  return { id, path, project, created, trigger, verified, iteration, summary, session_id };
}

/** Finds a save by its id, the beginning of just one id, a name that it was given, or `latest`. */
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
  const fitting = all.filter(({ id }) => id.startsWith(wanted));
  if (fitting.length <= 1) return fitting[0] ?? null;
  throw new RangeError(
    `Cannot find ${kinds.join(" or ")} ${JSON.stringify(wanted)}: ${fitting.length} ids start ` +
      `with that, such as ${fitting.slice(0, MAX_NAMED).map(({ id }) => id).join(", ")}. ` +
      "Give a full id",
  );
}

/** Names both files of a checkpoint by either. */
export function checkpointFiles(path: string): SaveFiles & { json: string; view: string } {
  const base = path.replace(/\.(?:md|json)$/, "");
  return { kind: "checkpoint", id: fileName(base), json: `${base}.json`, view: `${base}.md` };
}

/** Reads a save by its files; null where they hold none. */
export function readFound(files: SaveFiles): FoundSave | null {
  const { kind, id } = files;
  const jsonStamp = stampOf(files.json, MAX_SAVE_BYTES);
  const viewStamp = stampOf(files.view, MAX_VIEW_BYTES);
  const key = files.json ?? files.view ?? "";
  const stamp = `${jsonStamp} ${viewStamp}`;
  const known = READ.get(key);
  if (known?.stamp === stamp) return known.found;
  const { save, problem } = saveIn(kind === "checkpoint" && jsonStamp === null ? null : files.json);
  const view = viewStamp === null ? null : files.view;
  const meta = save !== null
    ? metaOfSave(save)
    : kind === "checkpoint" && view !== null
    ? metaOfText(textOf(view) ?? "")
    : null;
  // A handoff is of the session that its file is named after.
  const isRight = kind !== "handoff" || save?.session_id === id;
  const path = view ?? files.json;
  const found: FoundSave | null = path === null || !isRight || (meta === null && problem === null)
    ? null
    : {
      ...files,
      json: save === null && meta !== null ? null : files.json,
      view,
      path,
      created: save?.timestamp ?? meta?.created ?? "",
      sessionId: meta?.session_id ?? "",
      summary: (kind === "checkpoint" ? meta?.summary : save?.name) ?? "",
      iteration: meta?.iteration ?? 1,
      bytes: sizeOf(files.json ?? path),
      // The file's name is its id, also after it was copied.
      meta: meta === null ? null : { ...meta, id },
      save,
      problem: meta === null
        ? problem
        : kind === "handoff" && view === null
        ? "Its prompt is missing."
        : null,
    };
  if (READ.size >= MAX_FILES) READ.clear();
  // An unreadable save is tried again next time.
  if (problem === null) READ.set(key, { stamp, found });
  return found;
}

/** The Markdown of a save, and whether it is other text than was saved; null where it is gone. */
export function readView(
  { view, save }: Pick<FoundSave, "view" | "save">,
): { readonly text: string; readonly isEdited: boolean } | null {
  const text = view === null ? null : textOf(view);
  return text === null ? null : { text, isEdited: digestOf(text) !== save?.view_sha256 };
}

/** Whether trimtab wrote every file of a save on this machine. */
export function isOwnSave(found: SaveFiles, place: OwnPlace & SnapshotPlace): boolean {
  // A folder outside of the project is its caller's choice: nothing there has a mark.
  if (isAbsolutePath(place.snapshotDir ?? "")) return true;
  return filesOf(found).every((path) => {
    const text = readOwnTextSync(path, MAX_SAVE_BYTES);
    return text !== null && isOurs(place, markName(found, path), text);
  });
}

/** Takes a save that somebody else may have written for the user's own. */
export function trustSave(found: SaveFiles, place: OwnPlace): void {
  for (const path of filesOf(found)) {
    const text = readOwnTextSync(path, MAX_SAVE_BYTES);
    if (text === null) throw new TypeError(`Cannot trust ${path}: it is not a file of the project`);
    markOurs(place, markName(found, path), text);
  }
}

/** Names the mark of a file; both files of a handoff have one. */
export function markName({ kind, id }: Pick<SaveFiles, "kind" | "id">, path: string): string {
  return kind === "handoff" ? `${id}.handoff` : fileName(path);
}

/** The files of a save, the JSON that announces it first. */
export function filesOf({ json, view }: SaveFiles): string[] {
  return [json, view].filter((path) => path !== null);
}

interface OldOptions extends OwnPlace {
  readonly retentionDays: number;
  readonly nowMs: number;
  /** A save that stays whatever its age; the one just saved. */
  readonly keepId?: string;
}

/**
 * Lists own saves that are older than they are kept. The newest of each session stays, but for a
 * handoff: that waits for a day, whatever the retention.
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
    try {
      Deno.removeSync(path);
    } catch (error) {
      // Another process saves, and deletes what is old, at the same time.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    dropMark(projectDir, markName(found, path));
  }
}

type Aged = Pick<FoundSave, "id" | "created" | "iteration">;

export function newestFirst(a: Aged, b: Aged): number {
  // The numbers of checkpoints go up even where the clock was put back.
  return b.iteration - a.iteration || timeOf(b) - timeOf(a) || b.id.length - a.id.length ||
    (a.id < b.id ? 1 : -1);
}

/** When a save was made; of one that cannot be read its id tells. */
function timeOf({ created, id }: Aged): number {
  const digits = id.replaceAll(/\D/g, "");
  const [, day = "", hour = "", minute = "", second = ""] =
    /^(\d{8})(\d{2})(\d{2})(\d{2})/.exec(digits) ?? [];
  const time = created ||
    `${day.replace(/(....)(..)(..)/, "$1-$2-$3")}T${hour}:${minute}:${second}Z`;
  return Date.parse(time) || 0;
}

function viewPath(kind: SaveKind, folder: string, id: string): string | null {
  return kind === "snapshot" ? null : joinPath(folder, `${id}.md`);
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

function saveIn(path: string | null): Pick<FoundSave, "save" | "problem"> {
  if (path === null) return { save: null, problem: null };
  try {
    refuseOthers(path);
    return { save: readSave(path), problem: null };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // Damaged, of a newer version, or deleted since the folder was read.
    return { save: null, problem: reasonOf(error) };
  }
}

/** Changes when a file is rewritten; null for anything but a file: a link could lead anywhere. */
function stampOf(path: string | null, maxBytes: number): string | null {
  try {
    if (path === null) return null;
    const { isFile, size, mtime, ino } = Deno.lstatSync(path);
    return isFile && size <= maxBytes ? `${ino} ${size} ${mtime?.getTime()}` : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    return readOwnTextSync(path, MAX_VIEW_BYTES);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}
