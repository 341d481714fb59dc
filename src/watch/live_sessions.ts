import { isObject } from "../core/record.ts";
import { exists, listFolder, targetOf } from "../store/exists.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { joinPath } from "../store/paths.ts";
import { readStartedIn, sessionsOfFolder } from "../transcript/find.ts";

/** After a longer silence, a session does not count as running. */
export const MAX_SILENCE_MS = 10 * 60_000;

/** If there are more sessions, the newest are listed. */
export const MAX_LIVE_SESSIONS = 100;

const MAX_RECORD_BYTES = 100_000;

export interface LiveSession {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** Time of the last write, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

interface WatchedPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
}

/**
 * Lists the project's sessions that were written to recently. If clients record open sessions, lists only
 * those that are open.
 */
export function findLiveSessions(place: WatchedPlace, nowMs: number): LiveSession[] {
  const { projectDir, configDir } = place;
  if (configDir === undefined) return [];
  const open = openSessions(joinPath(configDir, "sessions"));
  const folders = new Set([projectDir, Deno.realPathSync(projectDir)]);
  return [...folders].flatMap((folder) => sessionsOfFolder(joinPath(configDir, "projects"), folder))
    .filter(({ id }) => open === null || open.has(id))
    .map(({ id, path }) => ({ id, path, ...sizeOf(path) }))
    .filter(({ modifiedMs }) => modifiedMs >= nowMs - MAX_SILENCE_MS)
    // Two projects can share a folder of sessions. A new session may not name its project yet.
    .filter(({ path }) => folders.has(readStartedIn(path) ?? projectDir))
    .sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, MAX_LIVE_SESSIONS)
    .sort((a, b) => a.id < b.id ? -1 : 1);
}

/** Returns null if clients do not record open sessions. */
function openSessions(folder: string): ReadonlySet<unknown> | null {
  if (!exists(folder)) return null;
  const names = listFolder(folder).map(({ name }) => name);
  const records = names.filter((name) => /^\d+\.json$/.test(name));
  return new Set(records.map((name) => sessionIn(joinPath(folder, name))));
}

function sessionIn(path: string): unknown {
  try {
    const record: unknown = JSON.parse(readOwnTextSync(path, MAX_RECORD_BYTES) ?? "null");
    return isObject(record) ? record["sessionId"] : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns zeros for a file that was deleted in the meantime. */
function sizeOf(path: string): Pick<LiveSession, "bytes" | "modifiedMs"> {
  const info = targetOf(path);
  return { bytes: info?.size ?? 0, modifiedMs: info?.mtime?.getTime() ?? 0 };
}
