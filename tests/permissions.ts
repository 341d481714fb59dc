/**
 * The permissions of the table, for tests that run a script or a hook with just those.
 *
 * @module
 */

import { allPermissions, withFolders } from "../tools/permissions.ts";

/** The flags of a row, with folders in the place of `CONFIG` and `PROJECT`. */
export function rowOf(path: string, folders: { config: string; project: string }): string[] {
  const row = allPermissions().get(path);
  if (row === undefined) throw new RangeError(`Cannot find permissions of ${path}: no such row`);
  return withFolders(row, folders);
}
