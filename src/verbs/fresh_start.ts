/** Gives a snapshot back as the prompt of a fresh session. */

import { findRestorePoint, restoredContext } from "../saved/restore_point.ts";
import { prepareFreshStart } from "../saved/snapshot/fresh_start.ts";
import { listSnapshotFiles } from "../saved/snapshot/list.ts";
import { readSnapshot } from "../saved/snapshot/read.ts";
import { ownOrTrusted, snapshotFor } from "./own.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** Which snapshot to start from. */
export interface FreshStartVerbOptions extends PlaceOptions {
  /** An id, its first characters, a name or a path. @default the newest of this machine */
  readonly id?: string | undefined;
  /** Whether to accept it even if it was not written on this machine. @default {false} */
  readonly trust?: boolean;
}

/** A snapshot as a prompt. */
export interface FreshStartResult {
  /** The id; `null` where there is no snapshot. */
  readonly snapshot_id: string | null;
  /** A prompt that describes the work; `null` if there is no snapshot. */
  readonly prompt: string | null;
  /** Instructions for going on; `null` if there is no snapshot. */
  readonly instructions: string | null;
  /** The newest checkpoint as fenced context, where there is no snapshot; `null` without any. */
  readonly checkpoint: string | null;
  /** Whether the snapshot was written on this machine, or is trusted. */
  readonly is_ours: boolean;
}

/** As much of a checkpoint as every other way of restoring gives, in UTF-16 code units. */
const MAX_CHECKPOINT_CHARS = 8_900;

/** Words a snapshot as the prompt of a fresh session, with how to go on. */
export function freshStart(options: FreshStartVerbOptions = {}): FreshStartResult {
  const place = locateProject(options);
  const { projectDir, configDir } = place;
  const { id: wanted = "latest", trust } = options;
  // Having nothing saved yet is no failure; a named snapshot that does not exist is.
  const isEmpty = wanted === "latest" && listSnapshotFiles(place).every(({ problem }) => problem);
  const path = isEmpty ? null : snapshotFor(wanted, place);
  const start = path === null ? null : prepareFreshStart(path, { projectDir });
  if (path === null || start === null) {
    const point = findRestorePoint(projectDir, { configDir });
    const how = { maxChars: MAX_CHECKPOINT_CHARS };
    const checkpoint = point === null ? null : restoredContext(point, projectDir, how);
    return { snapshot_id: null, prompt: null, instructions: null, checkpoint, is_ours: true };
  }
  const is_ours = ownOrTrusted(path, place, trust);
  const { prompt, instructions } = start;
  const { snapshot_id } = readSnapshot(path);
  return { snapshot_id, prompt, instructions, checkpoint: null, is_ours };
}
