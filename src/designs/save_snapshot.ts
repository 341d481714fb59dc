import type { ContextSnapshot } from "../saved/save.ts";
import { type SavedSnapshot, writeSnapshot } from "../saved/snapshot.ts";
import { saveFolder, type SnapshotPlace } from "../saved/store.ts";
import { findConfigDir, isAbsolutePath, projectOf } from "../store/paths.ts";

/** Options for saving a snapshot. */
export interface SaveSnapshotOptions extends SnapshotPlace {
  /** Time of the save, from which the id is derived. @default {new Date()} */
  readonly now?: Date;
}

export function saveSnapshot(
  snapshot: ContextSnapshot,
  options: SaveSnapshotOptions = {},
): SavedSnapshot {
  const { now = new Date() } = options;
  const folder = saveFolder("snapshot", options);
  if (isAbsolutePath(options.snapshotDir ?? "")) {
    const { projectDir = folder } = options;
    const project = options.projectDir === undefined ? {} : { project: projectDir };
    // The caller chose this folder by its absolute path, so its files are restored without a mark.
    const place = { ...options, projectDir, folder, configDir: undefined, now };
    return writeSnapshot({ ...snapshot, ...project }, place);
  }
  const project = projectOf(options);
  const configDir = "configDir" in options ? options.configDir : findConfigDir();
  // Throws if the project's folder does not exist. Only folders inside it are created.
  Deno.statSync(project);
  const place = { ...options, projectDir: project, folder, configDir, now };
  return writeSnapshot({ ...snapshot, project }, place);
}
