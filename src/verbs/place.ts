/** Finds the session and the project that a command works on. */

import { findConfigDir, findProjectDir, joinPath, readEnv } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import {
  type FindOptions,
  findSession,
  findSessionOrNull,
  type FoundSession,
  readStartedIn,
} from "../transcript/find.ts";

/**
 * Folders in which a command looks for sessions. The defaults are taken from the current process.
 */
export interface PlaceOptions {
  /** The working folder. @default {Deno.cwd()} */
  readonly cwd?: string | undefined;
  /** Claude Code's configuration folder. @default {CLAUDE_CONFIG_DIR or ~/.claude} */
  readonly configDir?: string | undefined;
}

/** Folders in which a command looks for a session, and the session's name. */
export interface SessionOptions extends PlaceOptions {
  /**
   * The session's id, at least its first 8 characters, or the path of its transcript. Defaults to the session
   * that runs the command or, failing that, to the newest session of the working folder.
   */
  readonly session?: string | undefined;
}

export interface ProjectPlace {
  projectDir: string;
  configDir: string | undefined;
}

export interface SessionPlace extends ProjectPlace {
  session: FoundSession;
  owner: StateOwner;
}

/** Finds the project of the session that runs the command, or of the working folder. */
export function locateProject(from: PlaceOptions = {}): ProjectPlace {
  const options = findOptions(from);
  const { cwd, configDir } = options;
  const startedIn = readEnv("CLAUDE_PROJECT_DIR") === undefined
    ? startFolderOfCurrent(options)
    : undefined;
  return { projectDir: findProjectDir({ cwd, startedIn }), configDir };
}

export function locateSession({ session: name, ...from }: SessionOptions = {}): SessionPlace {
  const options = findOptions(from);
  const { cwd, configDir } = options;
  const session = findSessionOrProject(name, options);
  const projectDir = findProjectDir({ cwd, startedIn: startedIn(session, options) });
  const owner = { projectDir, configDir, sessionId: session.id };
  return { session, configDir, projectDir, owner };
}

function findOptions({ cwd, configDir }: PlaceOptions): FindOptions {
  // If the caller names a folder, `CLAUDE_CODE_SESSION_ID` is ignored.
  const currentId = cwd === undefined ? readEnv("CLAUDE_CODE_SESSION_ID") : undefined;
  return { configDir: configDir ?? findConfigDir(), cwd: cwd ?? Deno.cwd(), currentId };
}

function startFolderOfCurrent(options: FindOptions): string | undefined {
  try {
    return startedIn(findSession(undefined, options), options);
  } catch {
    // A current session without a transcript has only just started in the working folder.
    return options.currentId === undefined ? undefined : options.cwd;
  }
}

/** Ignores a transcript outside the client's folder, which must not decide where trimtab writes. */
function startedIn({ path }: FoundSession, { configDir }: FindOptions): string | undefined {
  const isOwn = configDir !== undefined && path.startsWith(joinPath(configDir, "projects/"));
  return isOwn ? readStartedIn(path) : undefined;
}

/** If a subfolder has no sessions, looks in the project's folder. */
function findSessionOrProject(name: string | undefined, options: FindOptions): FoundSession {
  if (name === undefined && options.currentId === undefined) {
    const found = findSessionOrNull(name, options) ??
      findSessionOrNull(name, { ...options, cwd: findProjectDir(options) });
    if (found !== null) return found;
  }
  return findSession(name, options);
}
