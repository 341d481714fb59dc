/** Where the snapshots of a project are. */

import { findProjectDir, isAbsolutePath, joinPath } from "../../store/paths.ts";

/** Where a project keeps its snapshots. */
export const SNAPSHOT_DIR = ".claude/runtime/context-snapshots/";

/** Where the snapshots are. */
export interface SnapshotPlace {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The folder of the snapshots; a relative one starts at the project. @default {SNAPSHOT_DIR} */
  readonly snapshotDir?: string;
}

/**
 * Names the folder in which snapshots are kept.
 *
 * Permissions: none where the project is given, else those of finding it.
 *
 * @param place The project, and the folder where it is another.
 * @returns The folder.
 */
export function snapshotFolder(place: SnapshotPlace = {}): string {
  const { snapshotDir = SNAPSHOT_DIR } = place;
  const folder = snapshotDir.replace(/(?<=.)[/\\]+$/, "");
  return isAbsolutePath(folder) ? folder : joinPath(projectOf(place), folder);
}

export function projectOf(place: { readonly projectDir?: string } = {}): string {
  return place.projectDir ?? findProjectDir({ cwd: Deno.cwd() });
}
