/** Keeps a session's transcripts for a later `show`, `recall` or undo. */

import { findSession, SessionNotFoundError } from "../transcript/find.ts";
import { cleanupDays, keepTranscript } from "../transcript/kept.ts";
import { trimmedFrom } from "../transcript/origin.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** A transcript that is kept. */
export interface KeptSession {
  /** The session's id. */
  readonly session_id: string;
  /** The path of the kept transcript. */
  readonly path: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Whether it is a hard link, which uses no disk space while Claude Code still has the file. */
  readonly is_link: boolean;
  /** Whether this call added it. */
  readonly is_new: boolean;
}

/** The transcripts that are kept. */
export interface KeepResult {
  /** The session, then its ancestors if it is a trimmed copy. */
  readonly kept: readonly KeptSession[];
  /** Days after which Claude Code deletes an unused transcript. */
  readonly cleanup_days: number;
}

/** Maximum number of generations of copies to follow. */
const MAX_GENERATIONS = 64;

/** Keeps a session's transcript and those of the ancestors that its trim notices name. */
export function keep(options: SessionOptions): KeepResult {
  const { session, configDir } = locateSession(options);
  if (configDir === undefined) {
    throw new Error("Cannot keep a session: neither CLAUDE_CONFIG_DIR nor HOME is set");
  }
  const cwd = options.cwd ?? Deno.cwd();
  const kept: KeptSession[] = [];
  for (let next: typeof session | null = session; next !== null && kept.length < MAX_GENERATIONS;) {
    const { path, isLink, isNew } = keepTranscript(next, configDir);
    const { size: bytes } = Deno.statSync(path);
    kept.push({ session_id: next.id, path, bytes, is_link: isLink, is_new: isNew });
    next = parentOf(next.path, { configDir, cwd });
  }
  return { kept, cleanup_days: cleanupDays(configDir) };
}

function parentOf(
  path: string,
  place: { readonly configDir: string; readonly cwd: string },
): { id: string; path: string } | null {
  const parent = trimmedFrom(path);
  if (parent === null) return null;
  try {
    return findSession(parent, place);
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null;
    throw error;
  }
}
