/** Finds a session by its path or its id, or the newest session of a folder. */

import { isObject, type JsonObject, parseObject } from "../core/record.ts";
import { infoOf, listFolder, targetOf } from "../store/exists.ts";
import {
  fileName,
  findConfigDir,
  isAbsolutePath,
  isSessionId,
  joinPath,
  parentPath,
  readEnv,
  realFolder,
  resolvePath,
} from "../store/paths.ts";
import { readHead } from "../store/read_file.ts";
import { keptFolder } from "./kept.ts";

const SHORT_ID = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,26})?$/i;

const EXTENSION = ".jsonl";

export interface FoundSession {
  id: string;
  path: string;
}

export interface FindOptions {
  configDir: string | undefined;
  cwd: string;
  currentId?: string | undefined;
}

export function sessionIdOf(path: string): string {
  const file = fileName(path);
  return file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : file;
}

export class SessionNotFoundError extends Error {
  override name = "SessionNotFoundError";
}

/**
 * Finds a session by its path, its id, or at least the first eight characters of its id. If `name` is
 * undefined, finds the session that the command runs in or, outside of a session, the newest session of the
 * working folder.
 *
 * @throws {SessionNotFoundError} When no session or several sessions match, or the file is not a session.
 */
export function findSession(name: string | undefined, options: FindOptions): FoundSession {
  if (name === undefined) return findCurrentSession(options);
  if (isSessionId(name) || SHORT_ID.test(name)) return findById(name, options);
  if (name.includes("/") || name.includes("\\") || name.endsWith(EXTENSION)) {
    return findByPath(name, options.cwd);
  }
  throw new SessionNotFoundError(
    `Cannot find session ${
      JSON.stringify(name)
    }: give a session's id, the first 8 or more characters of ` +
      `its id, or the path of its ${EXTENSION} file`,
  );
}

export function findSessionOrNull(
  name: string | undefined,
  options: FindOptions,
): FoundSession | null {
  try {
    return findSession(name, options);
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null;
    throw error;
  }
}

/**
 * Finds the transcript of the session with the id in `CLAUDE_CODE_SESSION_ID`. If that variable is not set to a
 * session id, finds the newest transcript of the working folder.
 *
 * Permissions: `--allow-read` for the configuration folder, `--allow-env` for
 * `CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,HOME,USERPROFILE`.
 *
 * @returns The transcript's path, or `null` if there is none.
 */
export function findCurrentSessionFile(): string | null {
  const currentId = readEnv("CLAUDE_CODE_SESSION_ID");
  const options = { configDir: findConfigDir(), cwd: Deno.cwd(), currentId };
  return findSessionOrNull(undefined, options)?.path ?? null;
}

/** Returns the client's name for the sessions of a working folder, unless the path is long. */
export function projectFolderName(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
}

function findByPath(name: string, cwd: string): FoundSession {
  const path = isAbsolutePath(name) ? name : resolvePath(name, cwd);
  const info = targetOf(path);
  if (info === null) {
    throw new SessionNotFoundError(`Cannot find session: there is no file ${path}`);
  }
  if (!info.isFile) {
    throw new SessionNotFoundError(`Cannot read session: ${path} is not a regular file`);
  }
  refuseForeign(path);
  if (!path.endsWith(EXTENSION)) {
    // `refuseForeign` accepts an empty file, and Claude Code's lines under any file name.
    throw new SessionNotFoundError(
      `Cannot read session: ${path} does not end in ${EXTENSION}; rename it if it is a session`,
    );
  }
  return { id: sessionIdOf(path), path };
}

function refuseForeign(path: string): void {
  if (!isOtherAgentFile(path)) return;
  throw new SessionNotFoundError(
    `Cannot read session: ${path} is not a Claude Code session: its first lines have a different ` +
      "format. Specify a Claude Code session",
  );
}

function findById(id: string, options: FindOptions): FoundSession {
  const projects = projectsDir(options);
  const sessionsWithId = (folder: string): FoundSession[] => {
    const path = joinPath(folder, id + EXTENSION);
    if (isSessionId(id)) return infoOf(path)?.isFile === true ? [{ id, path }] : [];
    const start = id.toLowerCase();
    return sessionsIn(folder).filter((found) => found.id.toLowerCase().startsWith(start));
  };
  const matches = foldersIn(projects).flatMap((name) => sessionsWithId(joinPath(projects, name)));
  // trimtab may have kept a session that the client has deleted.
  if (matches.length === 0 && options.configDir !== undefined) {
    matches.push(...sessionsWithId(keptFolder(options.configDir)));
  }
  const ids = new Set(matches.map((match) => match.id));
  if (ids.size > 1) {
    throw new SessionNotFoundError(
      `Cannot choose session ${id}: several ids start with it: ${[...ids].sort().join(", ")}`,
    );
  }
  const found = newest(matches);
  if (found !== undefined) {
    refuseForeign(found.path);
    return found;
  }
  throw new SessionNotFoundError(
    `Cannot find session ${id}: no folder in ${projects} has a ${id}${
      isSessionId(id) ? "" : "*"
    }${EXTENSION}`,
  );
}

function findCurrentSession(options: FindOptions): FoundSession {
  const { currentId } = options;
  if (currentId !== undefined && isSessionId(currentId)) return findById(currentId, options);
  const projects = projectsDir(options);
  const found = newest(sessionsOfFolder(projects, options.cwd));
  if (found !== undefined) return found;
  const folder = joinPath(projects, projectFolderName(options.cwd));
  throw new SessionNotFoundError(
    `Cannot find a session for ${options.cwd}: looked in ${folder}. ` +
      "Name a session by its id or path, or run this in the project's folder",
  );
}

/** The client shortens a longer folder name to this length, and adds a hash. */
const MAX_FOLDER_NAME = 200;

function sessionsOfFolder(projects: string, cwd: string): FoundSession[] {
  const folderName = projectFolderName(cwd);
  if (folderName.length <= MAX_FOLDER_NAME) return sessionsIn(joinPath(projects, folderName));
  const prefix = folderName.slice(0, MAX_FOLDER_NAME);
  // The hash is unknown, so the folder that each session records is compared.
  return foldersIn(projects)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => sessionsIn(joinPath(projects, name)))
    .filter(({ path }) => readStartFolder(path) === cwd);
}

const HEAD_BYTES = 64 * 1024;

export function readStartFolder(path: string): string | undefined {
  return firstValue(path, "cwd");
}

export function readStartTime(path: string): Date | undefined {
  const date = new Date(firstValue(path, "timestamp") ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function firstValue(path: string, key: string): string | undefined {
  try {
    const head = readHead(path, HEAD_BYTES);
    const value = new RegExp(`"${key}":\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(head)?.[1];
    return value === undefined ? undefined : String(JSON.parse(value));
  } catch {
    return undefined;
  }
}

function projectsDir(options: FindOptions): string {
  if (options.configDir === undefined) {
    throw new SessionNotFoundError(
      "Cannot find sessions by id: neither CLAUDE_CONFIG_DIR nor HOME can be read. " +
        `Name the session by the path of its ${EXTENSION} file`,
    );
  }
  return joinPath(options.configDir, "projects");
}

function foldersIn(projects: string): string[] {
  return listFolder(projects).filter((item) => !item.isFile).map((item) => item.name);
}

function sessionsIn(folder: string): FoundSession[] {
  return listFolder(folder)
    .filter((item) => item.isFile && item.name.endsWith(EXTENSION))
    .map(({ name }) => ({ id: sessionIdOf(name), path: joinPath(folder, name) }))
    .filter(({ id }) => isSessionId(id));
}

function newest(sessions: FoundSession[]): FoundSession | undefined {
  const [found] = newestFirst(sessions);
  return found && { id: found.id, path: found.path };
}

export interface ProjectSession extends Readonly<FoundSession> {
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface SessionsPlace {
  readonly projectDir: string;
  readonly configDir: string | undefined;
}

/** Returns the sessions that the client offers to resume in a project's folder, newest first. */
export function projectSessions({ projectDir, configDir }: SessionsPlace): ProjectSession[] {
  if (configDir === undefined) return [];
  const projects = joinPath(configDir, "projects");
  const real = realFolder(projectDir);
  const found = [...new Set([projectDir, real])]
    .flatMap((folder) => sessionsOfFolder(projects, folder));
  // The given path and the resolved path can lead to the same folder of sessions.
  return newestFirst(new Map(found.map((session) => [session.path, session])).values());
}

export function newestSession(projects: string): FoundSession | undefined {
  return newest(foldersIn(projects).flatMap((folder) => sessionsIn(joinPath(projects, folder))));
}

export function sessionsInSameFolder(path: string): ProjectSession[] {
  return newestFirst(sessionsIn(parentPath(path)));
}

function newestFirst(sessions: Iterable<FoundSession>): ProjectSession[] {
  return [...sessions].flatMap((session) => {
    const info = targetOf(session.path);
    return info === null
      ? []
      : [{ ...session, bytes: info.size, modifiedMs: info.mtime?.getTime() ?? 0 }];
  }).sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path > b.path ? -1 : 1));
}

const SNIFFED_BYTES = 256 * 1024;

const MAX_LINES = 20;

/** Every Claude Code line without a message has one of these fields, regardless of its type. */
const IDENTIFIERS = ["sessionId", "uuid", "leafUuid", "messageId", "contextTokens"];

/** Matches a line that begins like an object. A damaged line can begin with NUL bytes. */
const OBJECT_START = /^[\s\0]*\{/m;

/** Whether the first lines show that another program wrote the file. */
export function isOtherAgentFile(path: string): boolean {
  const head = readHead(path, SNIFFED_BYTES);
  const lines = head.split("\n", MAX_LINES).map(parseObject)
    .filter((line) => line !== undefined);
  // A line that is longer than the head is cut off, so it cannot be parsed.
  if (lines.length === 0) return head.trim() !== "" && !OBJECT_START.test(head);
  return !lines.some(isClaudeCodeLine);
}

function isClaudeCodeLine(line: JsonObject): boolean {
  const { type, message } = line;
  // Qwen Code writes the same fields, but its messages have `parts`.
  if (isObject(message)) return (type === "user" || type === "assistant") && !("parts" in message);
  return typeof type === "string" && IDENTIFIERS.some((name) => name in line);
}
