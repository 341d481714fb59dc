/** Lists the sessions of a project, without reading them. */

import { isMissing } from "../config/files.ts";
import { joinPath } from "../store/paths.ts";
import { type FoundSession, sessionsOfFolder } from "./find.ts";

export interface ProjectSession extends Readonly<FoundSession> {
  readonly bytes: number;
  /** When that was written last, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

interface SessionsPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
}

/** The sessions that the client offers to resume in a project's folder, wherever they say they began. */
export function projectSessions({ projectDir, configDir }: SessionsPlace): ProjectSession[] {
  if (configDir === undefined) return [];
  const projects = joinPath(configDir, "projects");
  const found = [...new Set([projectDir, realPath(projectDir)])]
    .flatMap((folder) => sessionsOfFolder(projects, folder));
  // Two paths of a folder can come to one name.
  return [...new Map(found.map((session) => [session.path, session])).values()]
    .flatMap(viewSession)
    .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

function viewSession(session: FoundSession): ProjectSession[] {
  try {
    const { size, mtime } = Deno.statSync(session.path);
    return [{ ...session, bytes: size, modifiedMs: mtime?.getTime() ?? 0 }];
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
