import { lineageOf } from "../saved/lineage/sessions.ts";
import { leadsOut } from "../store/own_file.ts";
import { isSessionId } from "../store/paths.ts";
import { findSessionOrNull, type FoundSession, sessionsInSameFolder } from "../transcript/find.ts";
import { locateSession, type PlaceOptions, type SessionPlace } from "./place.ts";

type SearchScope = "session" | "lineage" | "project";

interface SearchScopeSessions {
  /** In search order. */
  sessions: readonly FoundSession[];
  /** Ids of sessions in the lineage whose transcripts no longer exist. */
  gone: readonly string[];
}

export function sessionsToSearch(
  scope: SearchScope,
  name: string | undefined,
  from: PlaceOptions = {},
): SearchScopeSessions {
  const place = locateSession({ ...from, session: name });
  const current = place.session;
  const ancestors = ancestorsOf(current, place);
  const { sessions, gone } = ancestors;
  const parent = sessions.find(({ id }) => id === ancestors.parentId);
  const start = name === undefined && parent !== undefined ? parent : current;
  if (scope === "session") return { sessions: [start], gone: start === current ? gone : [] };
  if (scope === "project") {
    const siblings = sessionsInSameFolder(start.path);
    return { sessions: siblings.length === 0 ? [start] : siblings, gone: [] };
  }
  return { sessions: start === current ? [current, ...sessions] : sessions, gone };
}

interface Ancestors extends SearchScopeSessions {
  parentId: string | null;
}

/** Returns the ancestors, closest first. */
function ancestorsOf(session: FoundSession, place: SessionPlace): Ancestors {
  const lineage = lineageOf(session.id, { projectDir: place.projectDir });
  const parentId = lineage[0]?.parent_session_id ?? null;
  const sessions: FoundSession[] = [];
  const gone: string[] = [];
  // The oldest known session may itself have a parent that the lineage no longer contains.
  for (const [index, { parent_session_id: id }] of lineage.entries()) {
    if (id === null) continue;
    const transcript = lineage[index + 1]?.transcript ?? null;
    const ancestor = findAncestor(id, transcript, place);
    if (ancestor === null) gone.push(id);
    else sessions.push(ancestor);
  }
  return { sessions, gone, parentId };
}

function findAncestor(
  id: string,
  transcript: string | null,
  place: SessionPlace,
): FoundSession | null {
  if (!isSessionId(id)) return null;
  const { projectDir, configDir } = place;
  // The lineage of a cloned project can name any path.
  const isWithin = (path: string): boolean =>
    [projectDir, configDir].some((folder) => folder !== undefined && !leadsOut(path, folder));
  for (const name of [id, transcript]) {
    if (name === null || (name === transcript && !isWithin(name))) continue;
    const found = findSessionOrNull(name, { configDir, cwd: projectDir });
    if (found !== null) return { ...found, id };
  }
  return null;
}
