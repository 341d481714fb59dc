import { findSessionOrNull } from "../transcript/find.ts";
import { cleanupDays, keepTranscript } from "../transcript/kept.ts";
import { sessionsInNotices, trimmedFrom } from "../transcript/origin.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** A kept transcript. */
export interface KeptSession {
  /** Id of the session. */
  readonly session_id: string;
  /** Path of the kept transcript. */
  readonly path: string;
  /** Size of the transcript, in bytes. */
  readonly bytes: number;
  /** Whether the kept file is a hard link, which uses no disk space while Claude Code still has the file. */
  readonly is_link: boolean;
  /** Whether this call kept the transcript for the first time. */
  readonly is_new: boolean;
}

/** The kept transcripts. */
export interface KeepResult {
  /** The session, then the sessions that it was trimmed from or that its notices refer to; at most 64. */
  readonly kept: readonly KeptSession[];
  /** Days after which Claude Code deletes an unused transcript. */
  readonly cleanup_days: number;
}

const MAX_SESSIONS = 64;

export function keep(options: SessionOptions): KeepResult {
  const { session, configDir } = locateSession(options);
  if (configDir === undefined) {
    throw new Error("Cannot keep a session: neither CLAUDE_CONFIG_DIR nor HOME is set");
  }
  const cwd = options.cwd ?? Deno.cwd();
  const kept: KeptSession[] = [];
  const sessions = [session];
  for (const next of sessions) {
    const { path, isLink, isNew } = keepTranscript(next, configDir);
    const { size: bytes } = Deno.statSync(path);
    kept.push({ session_id: next.id, path, bytes, is_link: isLink, is_new: isNew });
    // A fork of a session that was trimmed in place refers to that session only in its notices.
    for (const name of [trimmedFrom(next.path) ?? "", ...sessionsInNotices(next.path)]) {
      const parent = name === "" ? null : findSessionOrNull(name, { configDir, cwd });
      const isKnown = sessions.some(({ id }) => id === parent?.id);
      if (parent !== null && !isKnown && sessions.length < MAX_SESSIONS) sessions.push(parent);
    }
  }
  return { kept, cleanup_days: cleanupDays(configDir) };
}
