/**
 * Where the blackboard is, and whether there is one. A hook loads this at its start, and the rest
 * only where there is one.
 */

import { joinPath } from "../store/paths.ts";

/** Where a project keeps its blackboard. */
export const BLACKBOARD_FILE = ".claude/trimtab/blackboard.jsonl";

export function blackboardPath(projectDir: string): string {
  return joinPath(projectDir, BLACKBOARD_FILE);
}

/** Tells whether a project has a blackboard: most have none. */
export function hasBlackboard(projectDir: string): boolean {
  try {
    return Deno.lstatSync(blackboardPath(projectDir)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}
