/**
 * Reads the permission table, for tests that run a script or a hook with exactly its permissions.
 */

import { allPermissions, withFolders } from "../tools/permissions.ts";

/** Returns the flags of a row, with `CONFIG` and `PROJECT` replaced by folders. */
export function rowOf(path: string, folders: { config: string; project: string }): string[] {
  const row = allPermissions().get(path);
  if (row === undefined) throw new RangeError(`Cannot find permissions of ${path}: no such row`);
  return withFolders(row, folders);
}
