/**
 * A project with sessions that run, for the tests of this folder.
 *
 * @module
 */

import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { LookOptions } from "../../src/watch/look.ts";
import { projectFolderName } from "../../src/transcript/find.ts";
import { answer, type Line, user, writeLines } from "../pressure/transcript.ts";
import { newProject, NOW_MS, sessionId } from "./boards.ts";
import "../own_config.ts";

/** The time between two checks, in milliseconds. */
export const INTERVAL_MS = 30_000;

/** How a session is. */
export interface SessionShape {
  /** Tokens in context; null for a session without an answer. */
  readonly tokens?: number | null;
  /** How long ago it was written, in milliseconds. */
  readonly agoMs?: number;
  /** How long ago it started, in milliseconds. */
  readonly startedAgoMs?: number;
  /** The client's folder that it lies in. */
  readonly folder?: string;
  /** Where it says that it started; null for one that does not say. */
  readonly cwd?: string | null;
  /** More lines. */
  readonly more?: readonly Line[];
}

/** A project and the client's configuration of one test. */
export interface Fleet extends Disposable {
  /** The project. */
  readonly projectDir: string;
  /** The client's configuration folder. */
  readonly configDir: string;
  /** Writes the transcript of session n, and returns its path. */
  readonly add: (n: number, shape?: SessionShape) => string;
  /** What a look goes by. */
  readonly options: (nowMs?: number) => LookOptions;
}

/** Makes a project without sessions; disposing of it removes it. */
export function newFleet(): Fleet {
  const project = newProject();
  const { projectDir } = project;
  const configDir = `${projectDir}/config`;
  return {
    projectDir,
    configDir,
    add: (n, shape = {}) => addSession(configDir, projectDir, n, shape),
    options: (nowMs = NOW_MS) => ({
      projectDir,
      configDir,
      nowMs,
      intervalMs: INTERVAL_MS,
      config: DEFAULT_CONFIG.context,
      env: () => undefined,
    }),
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

function addSession(configDir: string, projectDir: string, n: number, shape: SessionShape): string {
  const { tokens = 20_000, agoMs = 0, startedAgoMs = agoMs, more = [] } = shape;
  const { cwd = projectDir, folder = projectFolderName(projectDir) } = shape;
  const at = (ms: number): Line => ({
    timestamp: new Date(NOW_MS - ms).toISOString(),
    ...(cwd === null ? {} : { cwd }),
  });
  const path = `${configDir}/projects/${folder}/${sessionId(n)}.jsonl`;
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const answers = tokens === null ? [] : [answer("a", "u", tokens, at(agoMs))];
  writeLines(path, [user("u", null, at(startedAgoMs)), ...answers, ...more]);
  const written = new Date(NOW_MS - agoMs);
  Deno.utimeSync(path, written, written);
  return path;
}
