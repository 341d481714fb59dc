/** Which sessions `trimtab search` goes through. */

import { lineageOf } from "../saved/lineage/sessions.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import {
  findSession,
  type FoundSession,
  isSessionId,
  SessionNotFoundError,
} from "../transcript/find.ts";
import { locateSession, type PlaceOptions, type SessionPlace } from "./place.ts";

const EXTENSION = ".jsonl";

/** The reach of a search: one session, it and those that it comes from, or all of the project. */
export type SearchScope = "session" | "lineage" | "project";

/** The sessions that a search goes through. */
interface SearchScopeSessions {
  /** The sessions, in the order in which they are searched. */
  sessions: FoundSession[];
  /** Sessions that the lineage names and whose transcripts are gone. */
  gone: string[];
}

export function sessionsToSearch(
  scope: SearchScope,
  name: string | undefined,
  from: PlaceOptions = {},
): SearchScopeSessions {
  const place = locateSession(name, from);
  const current = place.session;
  const ancestors = ancestorsOf(current, place);
  const { sessions, gone } = ancestors;
  const parent = sessions.find(({ id }) => id === ancestors.parentId);
  const start = name === undefined && parent !== undefined ? parent : current;
  if (scope === "session") return { sessions: [start], gone: start === current ? gone : [] };
  if (scope === "project") return { sessions: projectSessions(start), gone: [] };
  return { sessions: start === current ? [current, ...sessions] : sessions, gone };
}

interface Ancestors extends SearchScopeSessions {
  parentId: string | null;
}

/** Where a session comes from, the nearest first. */
function ancestorsOf(session: FoundSession, place: SessionPlace): Ancestors {
  const line = lineageOf(session.id, { projectDir: place.projectDir });
  const parentId = line[0]?.parent_session_id ?? null;
  const found: Ancestors = { sessions: [], gone: [], parentId };
  // The first that the lineage knows may itself come from one that it no longer holds.
  for (const [index, { parent_session_id: id }] of line.entries()) {
    if (id === null) continue;
    const kept = line[index + 1]?.transcript ?? null;
    const ancestor = findKept(id, kept, place);
    if (ancestor === null) found.gone.push(id);
    else found.sessions.push(ancestor);
  }
  return found;
}

function findKept(id: string, kept: string | null, place: SessionPlace): FoundSession | null {
  if (!isSessionId(id)) return null;
  for (const name of [id, kept]) {
    if (name === null || (name === kept && !isWithin(name, place))) continue;
    try {
      return { ...findSession(name, { configDir: place.configDir, cwd: place.projectDir }), id };
    } catch (error) {
      if (!(error instanceof SessionNotFoundError)) throw error;
    }
  }
  return null;
}

/** A lineage may come with a cloned project: it leads only to files in it or of the client. */
function isWithin(path: string, { projectDir, configDir }: SessionPlace): boolean {
  const real = realPath(path);
  return [projectDir, configDir].some((folder) => {
    const root = folder === undefined ? null : realPath(folder);
    return real !== null && root !== null && real.startsWith(`${root}/`);
  });
}

function realPath(path: string): string | null {
  try {
    return Deno.realPathSync(path).replaceAll("\\", "/");
  } catch {
    return null;
  }
}

/** The sessions that the client keeps beside one, the newest first. */
function projectSessions(session: FoundSession): FoundSession[] {
  const folder = parentPath(session.path);
  const sessions: (FoundSession & { time: number })[] = [];
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    const id = name.slice(0, -EXTENSION.length);
    if (!isFile || !name.endsWith(EXTENSION) || !isSessionId(id)) continue;
    const path = joinPath(folder, name);
    sessions.push({ id, path, time: Deno.statSync(path).mtime?.getTime() ?? 0 });
  }
  if (sessions.length === 0) return [session];
  sessions.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  return sessions.map(({ id, path }) => ({ id, path }));
}
