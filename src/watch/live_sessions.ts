/** Which sessions of a project are running. */

import { joinPath } from "../store/paths.ts";
import { endedSessions } from "./open_clients.ts";
import { isSessionId, projectFolderName, readStartedIn } from "../transcript/find.ts";

/** A session whose transcript was not written for longer is not running, in milliseconds. */
export const MAX_SILENCE_MS = 10 * 60_000;

/** No more sessions of a project are looked at; the newest count. */
export const MAX_LIVE_SESSIONS = 100;

const EXTENSION = ".jsonl";

export interface LiveSession {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was written last, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface LiveOptions {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  readonly nowMs: number;
  /** How long ago a transcript may have been written, in milliseconds. @default {MAX_SILENCE_MS} */
  readonly maxAgeMs?: number;
}

/** The project's sessions whose transcripts were written lately and that have not ended. */
export function findLiveSessions(options: LiveOptions): LiveSession[] {
  const { projectDir, configDir, nowMs, maxAgeMs = MAX_SILENCE_MS } = options;
  if (configDir === undefined) return [];
  const projects = joinPath(configDir, "projects");
  const own = new Set([projectDir, realPath(projectDir)]);
  const ownFolders = new Set([...own].map(projectFolderName));
  const hasEnded = endedSessions(projectDir, configDir);
  const found: LiveSession[] = [];
  for (const { name: folder } of entriesOf(projects)) {
    for (const { name } of entriesOf(joinPath(projects, folder))) {
      const session = liveSession(joinPath(projects, folder, name), name, nowMs - maxAgeMs);
      if (session === null || hasEnded(session.id, session.modifiedMs)) continue;
      const startedIn = readStartedIn(session.path);
      // The first lines of a new session may not tell yet.
      if (startedIn === undefined ? ownFolders.has(folder) : own.has(startedIn)) {
        found.push(session);
      }
    }
  }
  const newest = found.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, MAX_LIVE_SESSIONS);
  return newest.sort((a, b) => a.id < b.id ? -1 : 1);
}

function liveSession(path: string, name: string, sinceMs: number): LiveSession | null {
  const id = name.slice(0, -EXTENSION.length);
  if (!name.endsWith(EXTENSION) || !isSessionId(id)) return null;
  try {
    const { isFile, size, mtime } = Deno.statSync(path);
    const modifiedMs = mtime?.getTime() ?? 0;
    return isFile && modifiedMs >= sinceMs ? { id, path, bytes: size, modifiedMs } : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // It went while we looked.
    return null;
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return [];
  }
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
