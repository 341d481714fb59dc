/** Finds the session that a command is about. */

import { findConfigDir, findProjectDir, readEnv } from "../src/store/paths.ts";
import {
  type FindOptions,
  findSession,
  type FoundSession,
  readStartedIn,
  SessionNotFoundError,
} from "../src/transcript/find.ts";

/** A session with the folders that belong to it. */
export interface SessionPlace {
  session: FoundSession;
  /** The project that its files are kept in. */
  projectDir: string;
  configDir: string | undefined;
}

/** Finds the session that a command is about. */
export function locateSession(name: string | undefined): SessionPlace {
  const cwd = Deno.cwd();
  const configDir = findConfigDir();
  const currentId = readEnv("CLAUDE_CODE_SESSION_ID");
  const session = findFrom(name, { configDir, cwd, currentId });
  const startedIn = readStartedIn(session.path);
  return { session, configDir, projectDir: findProjectDir({ cwd, startedIn }) };
}

/** Below a project's folder its sessions count where the folder has none: `list` and others go by it, too. */
function findFrom(name: string | undefined, options: FindOptions): FoundSession {
  try {
    return findSession(name, options);
  } catch (error) {
    const cwd = findProjectDir(options);
    const isElsewhere = name !== undefined || options.currentId !== undefined;
    if (!(error instanceof SessionNotFoundError) || isElsewhere || cwd === options.cwd) throw error;
    try {
      return findSession(name, { ...options, cwd });
    } catch {
      throw error;
    }
  }
}
