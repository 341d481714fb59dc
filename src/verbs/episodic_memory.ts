/** Runs the optional episodic-memory command, which indexes past sessions for search by meaning. */

import { reasonOf } from "../store/atomic.ts";
import { readEnv } from "../store/paths.ts";
import { findProgram, PATH_SEPARATOR, programFolders } from "../store/programs.ts";

export function findEpisodicMemory(): string | null {
  return findProgram("episodic-memory", readEnv("PATH"));
}

/** Starts the command in its own process group, so that it can outlive this process. */
export function startEpisodicMemorySync(command: string | null): string {
  if (command === null) return "episodic-memory: not installed.";
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  // The command looks up other programs, such as node, on the PATH.
  const env = { PATH: programFolders(readEnv("PATH")).join(PATH_SEPARATOR) };
  try {
    new Deno.Command(command, { args: ["sync"], env, ...silent, detached: true }).spawn().unref();
    return "episodic-memory: sync was started in the background.";
  } catch (error) {
    return `episodic-memory: sync cannot run: ${reasonOf(error)}.`;
  }
}
