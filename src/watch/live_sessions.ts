import { isObject } from "../core/record.ts";
import { exists, listFolder } from "../store/exists.ts";
import { readOwnJson } from "../store/own_file.ts";
import { joinPath, realFolder } from "../store/paths.ts";
import {
  type ProjectSession,
  projectSessions,
  readStartFolder,
  type SessionsPlace,
} from "../transcript/find.ts";

/** A session that has written nothing for longer than this does not count as running. */
export const MAX_SILENCE_MS = 10 * 60_000;

export const MAX_LIVE_SESSIONS = 100;

const MAX_RECORD_BYTES = 100_000;

/**
 * Lists the project's sessions that were written to recently. If clients record open sessions, lists only
 * those that are open.
 */
export function findLiveSessions(place: SessionsPlace, nowMs: number): ProjectSession[] {
  const { projectDir, configDir } = place;
  if (configDir === undefined) return [];
  const open = openSessions(joinPath(configDir, "sessions"));
  const folders = [projectDir, realFolder(projectDir)];
  return projectSessions(place)
    .filter(({ id }) => open === null || open.has(id))
    .filter(({ modifiedMs }) => modifiedMs >= nowMs - MAX_SILENCE_MS)
    // Two projects can share a folder of sessions. The transcript of a new session may not contain its
    // project yet.
    .filter(({ path }) => folders.includes(readStartFolder(path) ?? projectDir))
    .slice(0, MAX_LIVE_SESSIONS)
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
  const record = readOwnJson(path, MAX_RECORD_BYTES, true);
  return isObject(record) ? record["sessionId"] : undefined;
}
