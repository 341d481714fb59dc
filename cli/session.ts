/** Finds the session that a command is about. */

import { findConfigDir, findProjectDir, readEnv } from "../src/store/paths.ts";
import { findSession, type FoundSession, readStartedIn } from "../src/transcript/find.ts";

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
  const session = findSession(name, { configDir, cwd, currentId });
  const startedIn = readStartedIn(session.path);
  return { session, configDir, projectDir: findProjectDir({ cwd, startedIn }) };
}
