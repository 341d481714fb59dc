/** Finds the blackboard. In a project without a blackboard, hooks load only this file of the room. */

import { unlessFailed } from "../store/exists.ts";
import { joinPath } from "../store/paths.ts";

export const BLACKBOARD_FILE = ".claude/trimtab/blackboard.jsonl";

export function blackboardPath(projectDir: string): string {
  return joinPath(projectDir, BLACKBOARD_FILE);
}

export function hasBlackboard(projectDir: string): boolean {
  return unlessFailed(() => Deno.lstatSync(blackboardPath(projectDir)).isFile) ?? false;
}
