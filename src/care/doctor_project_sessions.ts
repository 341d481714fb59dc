/**
 * Finds the sessions of a project, without reading them.
 *
 * @module
 */

import { isMissing } from "../config/files.ts";
import { joinPath } from "../store/paths.ts";
import { isSessionId, projectFolderName, readStartedIn } from "../transcript/find.ts";
import type { DoctorPlace } from "./doctor_check.ts";
import { entriesOf } from "./own_files.ts";

/** A session of a project. */
export interface ProjectSession {
  /** The transcript. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** When it was written last, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

const EXTENSION = ".jsonl";

/** Beyond this length the client shortens the name of a folder and adds a hash. */
const MAX_FOLDER_NAME = 200;

/** How much of a shortened name is surely that of the path. */
const SURE_PREFIX = 150;

/**
 * Lists the sessions that started in the folder of a project.
 *
 * Permissions: `--allow-read` for `<configDir>/projects`.
 *
 * @param place The project and the configuration folder.
 * @returns The sessions, newest first.
 * @throws {Error} Whatever the system says when a folder may not be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { projectSessions } from "./doctor_project_sessions.ts";
 *
 * assertEquals(projectSessions({ projectDir: "/p", configDir: "/nowhere" }), []);
 * ```
 */
export function projectSessions(
  { projectDir, configDir }: Pick<DoctorPlace, "projectDir" | "configDir">,
): ProjectSession[] {
  if (configDir === undefined) return [];
  const projects = joinPath(configDir, "projects");
  const own = new Set([projectDir, realPath(projectDir)]);
  const names = [...own].map(projectFolderName);
  const found: ProjectSession[] = [];
  for (const { name: folder } of entriesOf(projects) ?? []) {
    const isOwn = names.includes(folder);
    const isMaybe = names.some((name) =>
      name.length > MAX_FOLDER_NAME && folder.startsWith(name.slice(0, SURE_PREFIX))
    );
    if (!isOwn && !isMaybe) continue;
    for (const { name, isFile } of entriesOf(joinPath(projects, folder)) ?? []) {
      const isSession = name.endsWith(EXTENSION) && isSessionId(name.slice(0, -EXTENSION.length));
      if (!isFile || !isSession) continue;
      const path = joinPath(projects, folder, name);
      if (isOwn || own.has(readStartedIn(path) ?? "")) found.push(...sessionOf(path));
    }
  }
  return found.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

function sessionOf(path: string): ProjectSession[] {
  try {
    const { size, mtime } = Deno.statSync(path);
    return [{ path, bytes: size, modifiedMs: mtime?.getTime() ?? 0 }];
  } catch (error) {
    // It went while we looked.
    if (isMissing(error)) return [];
    throw error;
  }
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}
