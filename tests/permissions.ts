/**
 * The permissions that README.md promises, for tests that run a script or a hook with just those.
 *
 * @module
 */

import { readmePermissions, withFolders } from "../tools/permissions.ts";
import { readProject } from "./house/project.ts";

/** The flags of a row, with folders in the place of `CONFIG` and `PROJECT`. */
export function rowOf(path: string, folders: { config: string; project: string }): string[] {
  const row = readmePermissions(readProject("README.md")).get(path);
  if (row === undefined) throw new RangeError(`Cannot find permissions of ${path}: no such row`);
  return withFolders(row, folders);
}
