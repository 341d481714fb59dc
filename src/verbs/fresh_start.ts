/** Gives a snapshot back as the prompt of a fresh session. */

import { freshStartTexts } from "../saved/layout/rehydrated.ts";
import { restoredText } from "../saved/layout/restored.ts";
import { readSave } from "../saved/read.ts";
import { findRestorePoint, ownOrTrusted, saveToRestore } from "../saved/restore_point.ts";
import { readableSaves } from "../saved/store.ts";
import { locateProject, type PlaceOptions, type ProjectPlace } from "./place.ts";

/** The snapshot to start from. */
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
  /** Instructions for continuing; `null` if there is no snapshot. */
  readonly instructions: string | null;
  /** The newest checkpoint as fenced context, where there is no snapshot; `null` without any. */
  readonly checkpoint: string | null;
  /** Whether the snapshot was written on this machine, or is trusted. */
  readonly is_ours: boolean;
}

/** As much of a checkpoint as every other way of restoring gives, in UTF-16 code units. */
const MAX_CHECKPOINT_CHARS = 8_900;

/** Renders a snapshot as the prompt of a fresh session, with how to go on. */
export function freshStart(options: FreshStartVerbOptions = {}): FreshStartResult {
  const { id = "latest", trust } = options;
  return freshStartOf(id, locateProject(options), trust);
}

/** Renders a snapshot of a project as the prompt of a fresh session. */
export function freshStartOf(
  wanted: string,
  place: ProjectPlace,
  trust?: boolean,
): FreshStartResult {
  // Having nothing saved yet is no failure; a named snapshot that does not exist is.
  if (wanted === "latest" && readableSaves("snapshot", place).length === 0) {
    const point = findRestorePoint(place);
    const how = { projectDir: place.projectDir, maxChars: MAX_CHECKPOINT_CHARS };
    const checkpoint = point === null ? null : restoredText(point, how);
    return { snapshot_id: null, prompt: null, instructions: null, checkpoint, is_ours: true };
  }
  const found = saveToRestore(wanted, ["snapshot"], place);
  const is_ours = ownOrTrusted(found, place, trust);
  const save = readSave(found.path);
  return { snapshot_id: save.snapshot_id, ...freshStartTexts(save), checkpoint: null, is_ours };
}
