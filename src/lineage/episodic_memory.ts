/** The episodic-memory command, where it is installed: it makes past sessions searchable by meaning. */

import { reasonOf } from "../store/atomic.ts";
import { type EnvReader, joinPath, readEnv } from "../store/paths.ts";

const EPISODIC_MEMORY = "episodic-memory";

/** How long a rollover waits for it, in milliseconds. */
const SYNC_TIMEOUT_MS = 20_000;

const MAX_FOLDERS = 500;

const IS_WINDOWS = Deno.build.os === "windows";

/** What is executable, in the order in which Windows looks; elsewhere the bare name alone. */
const ENDINGS: readonly string[] = IS_WINDOWS ? [".exe", ".cmd", ".bat"] : [""];

/** Any of the three bits that let somebody execute a file. */
const EXECUTABLE = 0o111;

interface SyncOptions {
  /** The command; null where it is not installed. @default {findEpisodicMemory()} */
  readonly command?: string | null;
  /** How long to wait, in milliseconds. @default {SYNC_TIMEOUT_MS} */
  readonly timeoutMs?: number;
}

export function findEpisodicMemory(env: EnvReader = readEnv): string | null {
  const folders = (env("PATH") ?? "").split(IS_WINDOWS ? ";" : ":").slice(0, MAX_FOLDERS);
  for (const folder of folders) {
    // An empty entry means the working folder, from which nothing of a project is to be run.
    if (folder === "" || folder.startsWith(".")) continue;
    const paths = ENDINGS.map((ending) => joinPath(folder, EPISODIC_MEMORY + ending));
    const found = paths.find(isExecutable);
    if (found !== undefined) return found;
  }
  return null;
}

/** Lets the command take up what is new, and waits for it up to a limit. */
export async function syncEpisodicMemory(options: SyncOptions = {}): Promise<string> {
  const { command = findEpisodicMemory(), timeoutMs = SYNC_TIMEOUT_MS } = options;
  if (command === null) return NOT_INSTALLED;
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const child = spawn(command);
    timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, timeoutMs);
    const { code } = await child.status;
    if (isLate) return `episodic-memory: sync was stopped after ${timeoutMs / 1000} s.`;
    return code === 0
      ? "episodic-memory: this session is indexed."
      : `episodic-memory: sync failed with exit code ${code}.`;
  } catch (error) {
    return cannotRun(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets the command take up what is new in the background, when nothing waits for it. */
export function startEpisodicMemorySync(command: string | null = findEpisodicMemory()): string {
  if (command === null) return NOT_INSTALLED;
  try {
    spawn(command).unref();
    return "episodic-memory: sync was started in the background.";
  } catch (error) {
    return cannotRun(error);
  }
}

const NOT_INSTALLED = "episodic-memory: not installed.";

/** A group of its own: it outlives us where nothing waits, and ends whole where it is late. */
function spawn(command: string): Deno.ChildProcess {
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  return new Deno.Command(command, { args: ["sync"], ...silent, detached: true }).spawn();
}

/** Ends the command and what it started; where groups cannot be ended, the command alone. */
function endGroup(child: Deno.ChildProcess): void {
  try {
    if (IS_WINDOWS) child.kill("SIGKILL");
    else Deno.kill(-child.pid, "SIGKILL");
  } catch {
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended on its own.
    }
  }
}

function cannotRun(error: unknown): string {
  return `episodic-memory: sync cannot run: ${reasonOf(error)}.`;
}

function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (IS_WINDOWS || mode === null || (mode & EXECUTABLE) !== 0);
  } catch {
    // Another folder may hold it.
    return false;
  }
}
