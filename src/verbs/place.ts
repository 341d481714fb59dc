/** Finds the session and the project that a command is about. */

import { findConfigDir, findProjectDir, joinPath, readEnv } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import {
  type FindOptions,
  findSession,
  type FoundSession,
  readStartedIn,
  SessionNotFoundError,
} from "../transcript/find.ts";

/** Where a verb looks; left out, where the program runs. */
export interface PlaceOptions {
  /** The working folder. @default {Deno.cwd()} */
  readonly cwd?: string | undefined;
  /** Claude Code's configuration folder. @default {CLAUDE_CONFIG_DIR, else ~/.claude} */
  readonly configDir?: string | undefined;
}

/** Where a verb looks, and at which session. */
export interface SessionOptions extends PlaceOptions {
  /**
   * The session's id, the first 8 characters of it, or the path of its transcript; left out, the session
   * that this runs in, else the newest of the folder.
   */
  readonly session?: string | undefined;
}

/** A project, and where Claude Code keeps its configuration. */
export interface ProjectPlace {
  /** The project that its files are kept in. */
  projectDir: string;
  configDir: string | undefined;
}

/** A session with the folders that belong to it. */
export interface SessionPlace extends ProjectPlace {
  session: FoundSession;
  owner: StateOwner;
}

/** Finds the project of the session that the command runs in, else that of the current folder. */
export function locateProject(from: PlaceOptions = {}): ProjectPlace {
  const options = findOptions(from);
  const { cwd, configDir } = options;
  const startedIn = readEnv("CLAUDE_PROJECT_DIR") === undefined ? startedHere(options) : undefined;
  return { projectDir: findProjectDir({ cwd, startedIn }), configDir };
}

/** Finds the session that a command is about. */
export function locateSession({ session: name, ...from }: SessionOptions = {}): SessionPlace {
  const options = findOptions(from);
  const { cwd, configDir } = options;
  const session = findFrom(name, options);
  const projectDir = findProjectDir({ cwd, startedIn: startedIn(session, options) });
  const owner = { projectDir, configDir, sessionId: session.id };
  return { session, configDir, projectDir, owner };
}

function findOptions({ cwd, configDir }: PlaceOptions): FindOptions {
  // The session that runs here says nothing about another folder.
  const currentId = cwd === undefined ? readEnv("CLAUDE_CODE_SESSION_ID") : undefined;
  return { configDir: configDir ?? findConfigDir(), cwd: cwd ?? Deno.cwd(), currentId };
}

function startedHere(options: FindOptions): string | undefined {
  try {
    return startedIn(findSession(undefined, options), options);
  } catch {
    // A session that has written nothing yet has just started here.
    return options.currentId === undefined ? undefined : options.cwd;
  }
}

/** A transcript that was copied here must not choose the folder that is written to. */
function startedIn({ path }: FoundSession, { configDir }: FindOptions): string | undefined {
  const isOwn = configDir !== undefined && path.startsWith(joinPath(configDir, "projects/"));
  return isOwn ? readStartedIn(path) : undefined;
}

/** Finds a session; in a subfolder without sessions of its own, the project's sessions count. */
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
