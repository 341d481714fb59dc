/**
 * Finds the session that a command is about.
 *
 * @module
 */

import { findConfigDir, findProjectDir, readEnv } from "../src/store/paths.ts";
import { findSession, type FoundSession, readStartedIn } from "../src/transcript/find.ts";

/** A session with the folders that belong to it. */
export interface SessionPlace {
  /** The session. */
  session: FoundSession;
  /** The project that its files are kept in. */
  projectDir: string;
  /** Claude Code's configuration folder. */
  configDir: string | undefined;
}

/**
 * Finds the session that a command is about.
 *
 * Permissions: `--allow-read` for it, `--allow-env` for
 * `CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE`.
 *
 * @param name A path, an id, the start of one, or `undefined` for the current session.
 * @returns The session and its folders.
 * @throws {SessionNotFoundError} When there is none.
 */
export function locateSession(name: string | undefined): SessionPlace {
  const cwd = Deno.cwd();
  const configDir = findConfigDir();
  const currentId = readEnv("CLAUDE_CODE_SESSION_ID");
  const session = findSession(name, { configDir, cwd, currentId });
  const startedIn = readStartedIn(session.path);
  return { session, configDir, projectDir: findProjectDir({ cwd, startedIn }) };
}
