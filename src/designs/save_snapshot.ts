/** Saves snapshots where a program wants them. */

import type { ContextSnapshot } from "../saved/save.ts";
import { type SavedSnapshot, writeSnapshot } from "../saved/snapshot.ts";
import { saveFolder, type SnapshotPlace } from "../saved/store.ts";
import type { AtomicFileSystem } from "../store/atomic.ts";
import { findConfigDir, isAbsolutePath, projectOf } from "../store/paths.ts";

/** Options for saving a snapshot. */
export interface SaveSnapshotOptions extends SnapshotPlace {
  /** The time that its id tells. @default {new Date()} */
  readonly now?: Date;
  /** Claude Code's configuration folder; undefined where there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** The system calls to use. @default {Deno} */
  readonly fs?: AtomicFileSystem;
  /** Longest wait for other writers, in milliseconds. @default {5000} */
  readonly waitMs?: number;
}

/**
 * Saves a snapshot in a file of its own. The id and the time are those of the saving; another snapshot
 * of the same second is left alone, and this one gets a suffix.
 */
export function saveSnapshot(
  snapshot: ContextSnapshot,
  options: SaveSnapshotOptions = {},
): SavedSnapshot {
  const { now = new Date() } = options;
  const folder = saveFolder("snapshot", options);
  if (isAbsolutePath(options.snapshotDir ?? "")) {
    const { projectDir = folder } = options;
    const project = options.projectDir === undefined ? {} : { project: projectDir };
    // A file outside the snapshot folder is never restored automatically.
    const place = { ...options, projectDir, folder, configDir: undefined, now };
    return writeSnapshot({ ...snapshot, ...project }, place);
  }
  const project = projectOf(options);
  const configDir = "configDir" in options ? options.configDir : findConfigDir();
  // The project's own folder is never made.
  Deno.statSync(project);
  const place = { ...options, projectDir: project, folder, configDir, now };
  return writeSnapshot({ ...snapshot, project }, place);
}
