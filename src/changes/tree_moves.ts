/** Recognizes commands that may change the files of the tree, so that earlier checks do not cover them. */

import { commandWords, type GitCommand, gitCommands } from "../core/git_commands.ts";
import { isObject } from "../core/record.ts";
import { AGENT_TOOLS } from "../core/tools.ts";
import type { FinishedCall } from "../core/work_state.ts";
import { excerptLine } from "../inject/excerpt.ts";

const MAX_MOVE_CHARS = 60;

interface Move {
  /** Matches the options with which the command changes files. */
  readonly options?: RegExp;
  /** Matches git's output if the command had no effect. */
  readonly noEffect?: RegExp;
}

/** Changes files only with a branch, a commit, a new branch and its starting point, or the whole tree. */
const SWITCH: Move = {
  options:
    /^(?:\s+-(?:[fqdm]|-force|-quiet|-detach|-merge|-discard-changes)(?!\S))*\s+(?:-(?!\S)|-[bBcC]\s+\S+\s+[^\s-]|(?:--\s+)?[.:]\/?(?!\S)|(?!-|\S*\.\w{1,5}(?!\S)|.*\s--\s)[\w./@~^-]+)/,
  noEffect: /^Already on '/m,
};
const MERGE: Move = { noEffect: /^Already up[ -]to[ -]date/m };

const MOVES: ReadonlyMap<string, Move> = new Map([
  ["checkout", SWITCH],
  ["switch", SWITCH],
  ["merge", MERGE],
  ["pull", MERGE],
  ["rebase", { noEffect: /^Current branch \S+ is up to date/m }],
  ["reset", { options: /\s--(?:hard|merge|keep)(?!\S)/ }],
  ["restore", { options: /^(?!.*\s(?:-S|--staged)(?!\S)).*\s[.:]\/?(?!\S)/ }],
  ["cherry-pick", {}],
  ["revert", {}],
  ["am", {}],
]);

export const TREE_COMMANDS: ReadonlySet<string> = new Set([...MOVES.keys(), "stash"]);

/** Options that only show or edit the plan of an operation, or end the operation without a change. */
const WITHOUT_EFFECT = /\s--(?:quit|show-current-patch|edit-todo|help)(?![\w-])/;

/** Matches git's output for an operation that stopped halfway. */
export const HALTED_OUTPUT =
  /^(?:CONFLICT \(|Automatic merge (?:failed|went well; stopped)|(?:Rebasing \(\d+\/\d+\)\s*)*(?:error: )?could not apply )/m;

/**
 * Returns the first command in a line that changed files in the session's working tree; `undefined` if none
 * did.
 */
export function treeMove(
  line: string,
  { result, isFailed }: { readonly result: string; readonly isFailed: boolean },
): string | undefined {
  if (isFailed && !HALTED_OUTPUT.test(result)) return undefined;
  const moved = gitCommands(line).find((one) => one.folder === "" && isMove(one, result));
  if (moved !== undefined) return excerptLine(commandWords(moved), MAX_MOVE_CHARS);
  const isPulled = /^gh pr checkout\b/.test(line)
    ? !SWITCH.noEffect?.test(result)
    : /^gh pr merge\b/.test(line) && /^Updating [0-9a-f]{7}/m.test(result);
  return isPulled ? excerptLine(line, MAX_MOVE_CHARS) : undefined;
}

function isMove({ name, options }: GitCommand, result: string): boolean {
  const move = MOVES.get(name);
  return move !== undefined && !WITHOUT_EFFECT.test(options) &&
    move.options?.test(options) !== false && move.noEffect?.test(result) !== true;
}

/** Returns the number of files that a subagent edited in the session's tree, as the client counts them. */
export function agentEdits({ name, input, mirror, isError }: FinishedCall): number {
  const stats = isObject(mirror) && isObject(mirror.toolStats) ? mirror.toolStats : {};
  const isOwnTree = AGENT_TOOLS.has(name) && !isError && input.isolation !== "worktree";
  return isOwnTree && typeof stats.editFileCount === "number" ? stats.editFileCount : 0;
}
