/** Runs the optional episodic-memory command, which indexes past sessions for search by meaning. */

import { reasonOf } from "../store/atomic.ts";
import { type EnvReader, readEnv } from "../store/paths.ts";
import { findProgram, programFolders } from "../store/programs.ts";

const EPISODIC_MEMORY = "episodic-memory";

/** Longest time that a rollover waits for the command. */
const SYNC_TIMEOUT_MS = 20_000;

const IS_WINDOWS = Deno.build.os === "windows";

interface SyncOptions {
  /** Path of the command; null if it is not installed. @default {findEpisodicMemory()} */
  readonly command?: string | null;
  readonly timeoutMs?: number;
}

export function findEpisodicMemory(env: EnvReader = readEnv): string | null {
  return findProgram(EPISODIC_MEMORY, env("PATH"));
}

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

/**
 * Starts a process in a group of its own, so that it can outlive this process or be killed with its children.
 */
function spawn(command: string): Deno.ChildProcess {
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  // The command looks up other programs, such as node, on the PATH.
  const env = { PATH: programFolders(readEnv("PATH")).join(IS_WINDOWS ? ";" : ":") };
  return new Deno.Command(command, { args: ["sync"], env, ...silent, detached: true }).spawn();
}

/** Kills the command and its children. On a system without process groups, kills only the command. */
function endGroup(child: Deno.ChildProcess): void {
  try {
    if (IS_WINDOWS) child.kill("SIGKILL");
    else Deno.kill(-child.pid, "SIGKILL");
  } catch {
    try {
      child.kill("SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}

function cannotRun(error: unknown): string {
  return `episodic-memory: sync cannot run: ${reasonOf(error)}.`;
}
