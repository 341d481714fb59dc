/** Finds the session and the project that a command is about. */

import { findConfigDir, findProjectDir, joinPath, readEnv } from "../src/store/paths.ts";
import {
  type FindOptions,
  findSession,
  type FoundSession,
  readStartedIn,
  SessionNotFoundError,
} from "../src/transcript/find.ts";

/** A project, and where Claude Code keeps its configuration. */
interface ProjectPlace {
  /** The project that its files are kept in. */
  projectDir: string;
  configDir: string | undefined;
}

/** A session with the folders that belong to it. */
export interface SessionPlace extends ProjectPlace {
  session: FoundSession;
}

/** Finds the project of the session that the command runs in, else that of the current folder. */
export function locateProject(): ProjectPlace {
  const options = findOptions();
  const { cwd, configDir } = options;
  const startedIn = readEnv("CLAUDE_PROJECT_DIR") === undefined ? startedHere(options) : undefined;
  return { projectDir: findProjectDir({ cwd, startedIn }), configDir };
}

/** Finds the session that a command is about. */
export function locateSession(name: string | undefined): SessionPlace {
  const options = findOptions();
  const { cwd, configDir } = options;
  const session = findFrom(name, options);
  const projectDir = findProjectDir({ cwd, startedIn: startedIn(session, options) });
  return { session, configDir, projectDir };
}

function findOptions(): FindOptions {
  const currentId = readEnv("CLAUDE_CODE_SESSION_ID");
  return { configDir: findConfigDir(), cwd: Deno.cwd(), currentId };
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

/** In a folder below the project that has no sessions of its own, the project's sessions count. */
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
