/** The save that a session can go on from: the newest checkpoint or snapshot that fits. */

import { emptyState } from "../extract/empty_state.ts";
import { summaryOf } from "./checkpoint/checkpoint.ts";
import {
  checkpointPaths,
  type FoundCheckpoint,
  readCheckpoint,
  readCheckpoints,
  readView,
} from "./checkpoint/files.ts";
import { bodyOfText, metaOfSave } from "./checkpoint/meta.ts";
import { stateOf } from "./snapshot/snapshot.ts";
import { readSnapshot } from "./snapshot/read.ts";
import { resumeContext, type ResumeOptions } from "./checkpoint/resume_context.ts";
import { listSnapshotFiles, type SnapshotFile } from "./snapshot/list.ts";
import { verifyCheckpoint } from "./checkpoint/verify.ts";
import { isOurFile, markOurs, type OwnPlace } from "../store/ours.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { exists } from "../store/exists.ts";
import { fileName } from "../store/paths.ts";

/** No saved state is larger, in bytes. */
const MAX_POINT_BYTES = 16 * 1024 * 1024;

/** Summary of a session of which nothing is known. */
export const EMPTY_SUMMARY = summaryOf(emptyState());

export interface RestorePoint {
  readonly kind: "checkpoint" | "snapshot";
  readonly id: string;
  /** When it was saved, ISO 8601. */
  readonly created: string;
  /** The session; empty where it is not known. */
  readonly sessionId: string;
  readonly summary: string;
  readonly path: string;
}

interface RestoreFilter {
  /** Whether the state of a session may be taken; empty for a session that is not known. */
  readonly accepts?: (sessionId: string, point: RestorePoint) => boolean;
  /** States that were saved before are too old, in milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Whether those count that were not written on this machine, and no others. @default {false} */
  readonly strangers?: boolean;
  /** Claude Code's configuration folder; undefined where there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
}

/** Finds the newest saved state of a project that fits: one of ours, unless others are asked for. */
export function findRestorePoint(
  projectDir: string,
  filter: RestoreFilter = {},
): RestorePoint | null {
  const { accepts = () => true, sinceMs = -Infinity, strangers = false } = filter;
  const place = "configDir" in filter
    ? { projectDir, configDir: filter.configDir }
    : { projectDir };
  const fits = (point: RestorePoint): boolean =>
    Date.parse(point.created) >= sinceMs && accepts(point.sessionId, point) && isWhole(point) &&
    isOurPoint(point, place) !== strangers;
  const points = restorePoints(projectDir);
  // One that tells of no work never stands before one that does.
  return points.find((point) => !isEmpty(point) && fits(point)) ?? points.find(fits) ?? null;
}

function isEmpty({ kind, summary }: RestorePoint): boolean {
  return kind === "checkpoint" && summary === EMPTY_SUMMARY;
}

/** Whether trimtab wrote every file of a saved state on this machine. */
export function isOurPoint({ path }: Pick<RestorePoint, "path">, place: OwnPlace): boolean {
  return filesOf(path).every((file) => isOurFile(place, file));
}

/** Takes a saved state that somebody else may have written for one of ours. */
export function trustPoint({ path }: Pick<RestorePoint, "path">, place: OwnPlace): void {
  for (const file of filesOf(path)) {
    const text = readOwnTextSync(file, MAX_POINT_BYTES);
    if (text === null) throw new TypeError(`Cannot trust ${file}: it is not a file of the project`);
    markOurs(place, fileName(file), text);
  }
}

/** A checkpoint is one of two files where both are there. */
function filesOf(path: string): string[] {
  const { json, view } = checkpointPaths(path);
  return [path, ...[json, view].filter((file) => file !== path && exists(file))];
}

export function restorePoints(projectDir: string): RestorePoint[] {
  const checkpoints = readCheckpoints(projectDir).map(checkpointPoint);
  const snapshots = listSnapshotFiles({ projectDir }).flatMap(snapshotPoint);
  // Of two that were saved in one second the snapshot comes first: it is saved when both are due.
  return [...snapshots, ...checkpoints]
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
}

export function restoredContext(
  point: RestorePoint,
  projectDir: string,
  options: Pick<ResumeOptions, "maxChars" | "isBesideSummary"> = {},
): string {
  if (point.kind === "checkpoint") {
    const found = readCheckpoint(point.path, projectDir);
    if (found === null) return "";
    const { meta, save } = found;
    const view = readView(found);
    const text = view?.isEdited === true ? bodyOfText(view.text) : "";
    const state = save === null ? null : stateOf(save);
    const place = `.claude/checkpoints/${fileName(point.path)}`;
    return resumeContext({ meta, state, text, place, projectDir, ...options });
  }
  const save = readSnapshot(point.path);
  const meta = { ...metaOfSave(save), id: point.id, verified: true };
  const place = `what \`trimtab rehydrate ${point.id} --level comprehensive\` prints`;
  return resumeContext({
    kind: "snapshot",
    meta,
    state: stateOf(save),
    place,
    projectDir,
    ...options,
  });
}

/** Markdown that was cut off says less than an older save, and does not say that; JSON cannot be. */
function isWhole({ kind, path }: RestorePoint): boolean {
  return kind === "snapshot" || exists(checkpointPaths(path).json) || verifyCheckpoint(path).valid;
}

function checkpointPoint(found: FoundCheckpoint): RestorePoint {
  const { id, created, session_id: sessionId, summary, path } = found;
  return { kind: "checkpoint", id, created, sessionId, summary, path };
}

function snapshotPoint(file: SnapshotFile): RestorePoint[] {
  const { id, path, name, timestamp, session_id, problem } = file;
  if (problem !== null || timestamp === null) return [];
  const sessionId = session_id ?? "";
  return [{ kind: "snapshot", id, created: timestamp, sessionId, summary: name ?? "", path }];
}
