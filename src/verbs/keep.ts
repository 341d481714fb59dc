import { findSession, SessionNotFoundError } from "../transcript/find.ts";
import { cleanupDays, keepTranscript } from "../transcript/kept.ts";
import { trimmedFrom } from "../transcript/origin.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** A kept transcript. */
export interface KeptSession {
  /** Id of the session. */
  readonly session_id: string;
  /** Path of the kept transcript. */
  readonly path: string;
  /** Size of the transcript, in bytes. */
  readonly bytes: number;
  /**
   * Whether the kept transcript is a hard link, which uses no disk space while Claude Code still has the
   * file.
   */
  readonly is_link: boolean;
  /** Whether this call kept the transcript for the first time. */
  readonly is_new: boolean;
}

/** The kept transcripts. */
export interface KeepResult {
  /** The session first, then its ancestors if it is a trimmed copy. */
  readonly kept: readonly KeptSession[];
  /** Days after which Claude Code deletes an unused transcript. */
  readonly cleanup_days: number;
}

const MAX_GENERATIONS = 64;

/** Keeps the transcripts of a session and of the ancestors that its notices name. */
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
