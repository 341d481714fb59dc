/** Finds what was said in earlier sessions. */

import { findConfigDir, joinPath } from "../store/paths.ts";
import { type FoundSession, isSessionId } from "../transcript/find.ts";
import { DEFAULT_EXCERPT_CHARS } from "../transcript/search/excerpt.ts";
import { SearchPattern } from "../transcript/search/pattern.ts";
import { type SearchMatch, searchTranscript } from "../transcript/search/search.ts";
import type { PlaceOptions } from "./place.ts";
import { sessionsToSearch } from "./search_scope.ts";

/** A search, and where to search. */
export interface SearchOptions extends PlaceOptions {
  /** The text to find. */
  readonly pattern: string;
  /** Whether the pattern is a regular expression of JavaScript. @default {false} */
  readonly regex?: boolean | undefined;
  /** Whether upper and lower case are the same. @default {false} */
  readonly ignoreCase?: boolean | undefined;
  /** The speaker: the user, the model (calls of tools, too), or a tool's result. */
  readonly role?: "user" | "assistant" | "tool" | undefined;
  /** Only calls and results of this tool. */
  readonly tool?: string | undefined;
  /**
   * The session's id, the first 8 characters of it, or the path of its transcript; left out, the session
   * that this one goes on from, else this one.
   */
  readonly session?: string | undefined;
  /** One session, it and those that it comes from, or all of the project. @default {"session"} */
  readonly scope?: "session" | "lineage" | "project" | undefined;
  /** The most matches. @default {50} */
  readonly limit?: number | undefined;
  /** The most UTF-16 code units of an excerpt. @default {120} */
  readonly excerptChars?: number | undefined;
}

/** One text that holds the pattern, however often. */
export interface SearchHit {
  /** The session's id. */
  readonly session_id: string;
  /** The number of its line, from 1. */
  readonly line: number;
  /** The session and the line, as `show` takes them. */
  readonly ref: string;
  /** The speaker. */
  readonly role: "user" | "assistant" | "tool";
  /** The tool that it is a call or a result of; `null` where it is neither. */
  readonly tool: string | null;
  /** The pattern's first place in it with what surrounds it, on one line. */
  readonly excerpt: string;
}

/** The result of a search. */
export interface SearchResult {
  /** The matches, in the order in which sessions and lines were searched. */
  readonly matches: readonly SearchHit[];
  /** Whether there are more matches than were asked for. */
  readonly truncated: boolean;
  /** Ids of the sessions that were searched. */
  readonly searched: readonly string[];
  /** Ids of sessions that the lineage names and whose transcripts no longer exist. */
  readonly gone: readonly string[];
}

/** Bounds of the options that are numbers. */
const DEFAULT_LIMIT = 50;
const LIMITS = [1, 10_000] as const;
const EXCERPT_CHARS = [20, 2_000] as const;

/** Searches sessions, those nearest to this one first, until there are matches enough. */
export function search(options: SearchOptions): SearchResult {
  const { pattern, regex = false, ignoreCase = false, role, tool, scope = "session" } = options;
  const limit = within("limit", options.limit ?? DEFAULT_LIMIT, LIMITS);
  const excerptChars = within(
    "excerptChars",
    options.excerptChars ?? DEFAULT_EXCERPT_CHARS,
    EXCERPT_CHARS,
  );
  using query = new SearchPattern(pattern, { isRegex: regex, ignoreCase });
  const { sessions, gone } = sessionsToSearch(scope, options.session, options);
  const configDir = options.configDir ?? findConfigDir();
  const matches: SearchHit[] = [];
  for (const session of sessions) {
    for (
      const match of searchTranscript(session.path, { pattern: query, role, tool, excerptChars })
    ) {
      matches.push(hitOf(match, session, configDir));
      if (matches.length > limit) break;
    }
    if (matches.length > limit) break;
  }
  return {
    matches: matches.slice(0, limit),
    truncated: matches.length > limit,
    searched: sessions.map(({ id }) => id),
    gone,
  };
}

function within(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(
    `Cannot search: ${name} must be from ${least} to ${most}, is ${value}`,
  );
}

/** A session elsewhere than among the client's cannot be found by its id, so its path names it. */
function hitOf(
  { line, role, tool, excerpt }: SearchMatch,
  { id, path }: FoundSession,
  configDir: string | undefined,
): SearchHit {
  const isKept = configDir !== undefined && isSessionId(id) &&
    path.startsWith(joinPath(configDir, "projects", "/"));
  const ref = `${isKept ? id.slice(0, 8) : path}:${line}`;
  return { session_id: id, line, ref, role, tool, excerpt };
}
