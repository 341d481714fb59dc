/** Renders a snapshot as the prompt of a fresh session. */

import { freshStartTexts } from "../saved/layout/rehydrated.ts";
import { restoredText } from "../saved/layout/restored.ts";
import { readSave } from "../saved/read.ts";
import { findRestorePoint, ownOrTrusted, saveToRestore } from "../saved/restore_point.ts";
import { readableSaves } from "../saved/store.ts";
import { locateProject, type PlaceOptions, type ProjectPlace } from "./place.ts";

/** The snapshot to start from. */
export interface FreshStartVerbOptions extends PlaceOptions {
  /** An id or its start, a name, or a path. @default the newest snapshot written on this machine */
  readonly id?: string | undefined;
  /** Whether to accept a snapshot that was not written on this machine. @default {false} */
  readonly trust?: boolean;
}

/** A snapshot as a prompt. */
export interface FreshStartResult {
  /** The id; `null` if there is no snapshot. */
  readonly snapshot_id: string | null;
  /** A prompt that describes the work; `null` if there is no snapshot. */
  readonly prompt: string | null;
  /** Instructions for continuing; `null` if there is no snapshot. */
  readonly instructions: string | null;
  /** The newest checkpoint as fenced text, if there is no snapshot; otherwise, or without one, `null`. */
  readonly checkpoint: string | null;
  /** Whether the snapshot was written on this machine or is trusted. */
  readonly is_ours: boolean;
}

/** Longest text of a checkpoint, in UTF-16 code units; as long as in other ways of restoring. */
const MAX_CHECKPOINT_CHARS = 8_900;

/** Renders a snapshot as the prompt of a fresh session, with instructions for continuing. */
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
  // A project without snapshots is not an error, but a missing named snapshot is.
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
