import { shortId } from "../core/marks.ts";
import { lineageOf } from "../saved/lineage/sessions.ts";
import { leadsOut } from "../store/own_file.ts";
import { findConfigDir, isSessionId, joinPath } from "../store/paths.ts";
import { findSessionOrNull, type FoundSession, sessionsInSameFolder } from "../transcript/find.ts";
import { SearchPattern } from "../transcript/search/pattern.ts";
import {
  DEFAULT_EXCERPT_CHARS,
  type SearchMatch,
  type SearchQuery,
  searchTranscript,
} from "../transcript/search/search.ts";
import { locateSession, type PlaceOptions, type SessionPlace } from "./place.ts";

/** The text to find, and the sessions to search. */
export interface SearchOptions extends PlaceOptions {
  /** The text or, with `regex`, the expression to find. */
  readonly pattern: string;
  /** Whether the pattern is a JavaScript regular expression. @default {false} */
  readonly regex?: boolean | undefined;
  /** Whether to ignore case. @default {false} */
  readonly ignoreCase?: boolean | undefined;
  /** Restricts the search to the user's text, to the model's text and tool calls, or to tool results. */
  readonly role?: "user" | "assistant" | "tool" | undefined;
  /** Restricts the search to the calls and results of this tool. */
  readonly tool?: string | undefined;
  /** An id, its first 8 characters, or a path. @default {the session that the current one continues} */
  readonly session?: string | undefined;
  /** One session, a session and its ancestors, or the whole project. @default {"session"} */
  readonly scope?: "session" | "lineage" | "project" | undefined;
  /** Maximum number of matches to return. @default {50} */
  readonly limit?: number | undefined;
  /** Longest excerpt, in UTF-16 code units. @default {120} */
  readonly excerptChars?: number | undefined;
}

/** A message, call or result with a match, listed once even if it matches several times. */
export interface SearchHit {
  /** Id of the session. */
  readonly session_id: string;
  /** Line number in the transcript, from 1. */
  readonly line: number;
  /** The session and the line, in the form that `show` accepts. */
  readonly ref: string;
  /** The role of the text. */
  readonly role: "user" | "assistant" | "tool";
  /** The tool of a call or a result; `null` for other text. */
  readonly tool: string | null;
  /** The first match and the text around it, on one line. */
  readonly excerpt: string;
}

/** The result of a search. */
export interface SearchResult {
  /** The matches, in the order in which the sessions were searched. */
  readonly matches: readonly SearchHit[];
  /** Whether there are more matches than the limit. */
  readonly truncated: boolean;
  /** Ids of the searched sessions. */
  readonly searched: readonly string[];
  /** Ids of sessions in the lineage whose transcripts no longer exist. */
  readonly gone: readonly string[];
}

const DEFAULT_LIMIT = 50;
const LIMIT_RANGE = [1, 10_000] as const;
const EXCERPT_RANGE = [20, 2_000] as const;

export function search(options: SearchOptions): SearchResult {
  const { pattern, regex = false, ignoreCase = false, role, tool } = options;
  const { limit = DEFAULT_LIMIT, excerptChars = DEFAULT_EXCERPT_CHARS } = options;
  checkRange("limit", limit, LIMIT_RANGE);
  checkRange("excerptChars", excerptChars, EXCERPT_RANGE);
  const query = new SearchPattern(pattern, { isRegex: regex, ignoreCase });
  const { sessions, gone } = sessionsToSearch(options);
  const configDir = options.configDir ?? findConfigDir();
  const matches = findMatches(sessions, { pattern: query, role, tool, excerptChars })
    .map(([match, session]) => hitOf(match, session, configDir)).take(limit + 1).toArray();
  return {
    matches: matches.slice(0, limit),
    truncated: matches.length > limit,
    searched: sessions.map(({ id }) => id),
    gone,
  };
}

/** Lists an entry once even if a copy repeats it, unless a cut changed its excerpt. */
function* findMatches(
  sessions: readonly FoundSession[],
  query: SearchQuery,
): Generator<[SearchMatch, FoundSession], void, undefined> {
  const found = new Map<string, string>();
  for (const session of sessions) {
    for (const match of searchTranscript(session.path, query)) {
      const key = JSON.stringify([match.uuid, match.role, match.excerpt]);
      if (match.uuid !== undefined && (found.get(key) ?? session.id) !== session.id) continue;
      found.set(key, session.id);
      yield [match, session];
    }
  }
}

function checkRange(name: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(
    `Cannot search: ${name} must be a whole number from ${min} to ${max}, got ${value}`,
  );
}

/** Refers to a session outside the client's folder by its path, because `show` could not find it by its id. */
function hitOf(
  { line, role, tool, excerpt }: SearchMatch,
  { id, path }: FoundSession,
  configDir: string | undefined,
): SearchHit {
  const isInClientFolder = configDir !== undefined && isSessionId(id) &&
    path.startsWith(joinPath(configDir, "projects", "/"));
  const ref = `${isInClientFolder ? shortId(id) : path}:${line}`;
  return { session_id: id, line, ref, role, tool, excerpt };
}

interface SearchScopeSessions {
  /** In search order. */
  sessions: readonly FoundSession[];
  /** Ids of sessions in the lineage whose transcripts no longer exist. */
  gone: readonly string[];
}

function sessionsToSearch({ scope = "session", ...from }: SearchOptions): SearchScopeSessions {
  const place = locateSession(from);
  const current = place.session;
  const ancestors = ancestorsOf(place);
  const sessions = ancestors.flatMap(({ found }) => found ?? []);
  const gone = ancestors.flatMap(({ id, found }) => found === null ? id : []);
  const start = from.session === undefined ? ancestors[0]?.found ?? current : current;
  if (scope === "session") return { sessions: [start], gone: start === current ? gone : [] };
  if (scope === "project") {
    const siblings = sessionsInSameFolder(start.path);
    return { sessions: siblings.length === 0 ? [start] : siblings, gone: [] };
  }
  return { sessions: start === current ? [current, ...sessions] : sessions, gone };
}

/** Returns the ancestors, closest first. */
function ancestorsOf(place: SessionPlace): { id: string; found: FoundSession | null }[] {
  const lineage = lineageOf(place.session.id, { projectDir: place.projectDir });
  // The oldest known session may itself have a parent that the lineage no longer contains.
  return lineage.flatMap(({ parent_session_id: id }, index) => {
    const transcript = lineage[index + 1]?.transcript ?? null;
    return id === null ? [] : [{ id, found: findAncestor(id, transcript, place) }];
  });
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
