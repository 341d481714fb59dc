/** Finds the session and the project that a command works on. */

import {
  type EnvReader,
  findConfigDir,
  findProjectDir,
  joinPath,
  readEnv,
} from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import {
  type FindOptions,
  findSession,
  findSessionOrNull,
  type FoundSession,
  readStartFolder,
} from "../transcript/find.ts";

/** Where a command looks for sessions; the defaults are taken from the current process. */
export interface PlaceOptions {
  /** The working folder; if given, variables about the session are ignored. @default {Deno.cwd()} */
  readonly cwd?: string | undefined;
  /** Claude Code's configuration folder. @default {CLAUDE_CONFIG_DIR or ~/.claude} */
  readonly configDir?: string | undefined;
}

/** A session, and the folders in which a command looks for it. */
export interface SessionOptions extends PlaceOptions {
  /**
   * The session's id, at least its first 8 characters, or the path of its transcript. Defaults to the session
   * that runs the command, else to the newest session of the working folder or of the project.
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

interface PlaceHints extends FindOptions {
  readonly env: EnvReader;
}

export function locateProject(from: PlaceOptions = {}): ProjectPlace {
  const options = findOptions(from);
  const { configDir, env } = options;
  const startFolder = env("CLAUDE_PROJECT_DIR") === undefined
    ? startFolderOfCurrent(options)
    : undefined;
  return { projectDir: findProjectDir({ ...options, startFolder }), configDir };
}

export function locateSession({ session: name, ...from }: SessionOptions = {}): SessionPlace {
  const options = findOptions(from);
  const { configDir } = options;
  const session = findSessionOrProject(name, options);
  const projectDir = findProjectDir({ ...options, startFolder: startFolderOf(session, options) });
  const owner = { projectDir, configDir, sessionId: session.id };
  return { session, configDir, projectDir, owner };
}

const SESSION_VARIABLES = ["CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"];

function findOptions({ cwd, configDir }: PlaceOptions): PlaceHints {
  const env: EnvReader = cwd === undefined
    ? readEnv
    : (name) => SESSION_VARIABLES.includes(name) ? undefined : readEnv(name);
  return {
    configDir: configDir ?? findConfigDir(),
    cwd: cwd ?? Deno.cwd(),
    currentId: env("CLAUDE_CODE_SESSION_ID"),
    env,
  };
}

function startFolderOfCurrent(options: FindOptions): string | undefined {
  try {
    return startFolderOf(findSession(undefined, options), options);
  } catch {
    // A current session without a transcript has only just started in the working folder.
    return options.currentId === undefined ? undefined : options.cwd;
  }
}

/** Ignores a transcript outside the client's folder, which must not decide where trimtab writes. */
function startFolderOf({ path }: FoundSession, { configDir }: FindOptions): string | undefined {
  const isOwn = configDir !== undefined && path.startsWith(joinPath(configDir, "projects/"));
  return isOwn ? readStartFolder(path) : undefined;
}

/** Without a name or a current session, looks in the working folder, then in the project's folder. */
function findSessionOrProject(name: string | undefined, options: PlaceHints): FoundSession {
  if (name === undefined && options.currentId === undefined) {
    const found = findSessionOrNull(name, options) ??
      findSessionOrNull(name, { ...options, cwd: findProjectDir(options) });
    if (found !== null) return found;
  }
  return findSession(name, options);
}
