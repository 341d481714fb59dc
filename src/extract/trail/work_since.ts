/** Summarizes the work since the newest request: edited files, checks with outcomes, commits and pushes. */

import { andMore, counted } from "../../inject/bound.ts";
import { namesOf } from "../../inject/edits.ts";
import { EDIT, isLookUp } from "../../inject/joined_steps.ts";
import {
  ASSISTANT,
  COMMAND,
  commandsIn,
  FAILED_COMMAND,
  HIDDEN_END,
  isUsageFailure,
  isWithoutResult,
  OUTCOME,
  RESOLVED_FAILURE,
  UNSEEN_COMMAND,
} from "../../inject/step_words.ts";
import { didNotRun } from "../../inject/telling_lines.ts";
import {
  isElsewhere,
  isExperiment,
  isTemporaryPath,
  runsInBackground,
  simpleCommands,
} from "../../core/shell_commands.ts";
import { namesOrContains, removedBy, revertedBy, writtenBy } from "../../core/shell_files.ts";
import { treeMove } from "../../changes/tree_moves.ts";
import type { Said } from "../../core/work_state.ts";
import { isCommitStep, isPushStep } from "./last_turn.ts";

/** Begins the line about the work since the newest message. */
export const SINCE_THEN = "Since then: ";

const MIN_SUMMARY_ACTIONS = 3;
const MAX_SUMMARY_FILES = 5;
const MAX_SUMMARY_CHECKS = 4;

const COMMITTED = "committed";
const PUSHED = "pushed";
const MAX_SUMMARY_CHARS = 80;

/**
 * Summarizes the actions since the newest prompt: edited files, checks with outcomes, commits and pushes.
 * Returns an empty string for fewer than `MIN_SUMMARY_ACTIONS` actions with at most one edited file and no
 * commit or push. File names are unique within `known`. `commands` supplies the outcome of each command in a
 * chain.
 *
 * @param uncommitted The files that were edited after the newest commit.
 */
export function workSince(
  steps: readonly string[],
  { changed, uncommitted, known, commands }: {
    readonly changed: readonly string[];
    readonly uncommitted: readonly string[];
    readonly known: readonly string[];
    readonly commands: readonly Said[];
  },
): string {
  const resolved = commandsIn(commands, RESOLVED_FAILURE);
  const failing = commandsIn(commands, FAILED_COMMAND);
  const unseen = commandsIn(commands, UNSEEN_COMMAND);
  const actions = steps.filter((step) => !step.startsWith(ASSISTANT) && !isLookUp(step));
  // Adds the recorded changes, because the kept steps may not reach back to the request.
  const edited = new Set(changed);
  const moves: string[] = [];
  /**
   * The text about each check, commit or push, and how many edits and tree-changing commands preceded it. The
   * latter is infinite for a commit or push, so that its text gets no note about a later command.
   */
  const checks = new Map<string, readonly [words: string, edits: number, moves: number]>();
  let edits = 0;
  for (const action of actions) {
    const file = action.includes(OUTCOME) ? undefined : EDIT.exec(action)?.[1];
    if (file !== undefined) edited.add(file);
    const [, command = "", outcome = ""] = COMMAND.exec(action) ?? [];
    const isFailed = outcome.startsWith("failed");
    if (file !== undefined || (!isFailed && writtenBy(command).length > 0)) edits++;
    if (isWithoutResult(outcome) || didNotRun(outcome) || runsInBackground(outcome)) continue;
    if (isUsageFailure(outcome)) continue;
    const gone = isFailed ? [] : [...removedBy(command), ...revertedBy(command)];
    for (const file of gone.length === 0 ? [] : [...edited]) {
      if (!changed.includes(file) && gone.some((path) => namesOrContains(path, file))) {
        edited.delete(file);
      }
    }
    const result = outcome.replace(/^failed: /, "").replaceAll(" | ", "\n");
    const move = treeMove(command, { result, isFailed });
    if (move !== undefined) moves.push(move);
    if (isCommitStep(action)) checks.set(COMMITTED, [COMMITTED, edits, Infinity]);
    if (isPushStep(action)) checks.set(PUSHED, [PUSHED, edits, Infinity]);
    const all = simpleCommands(command).filter(({ isCheck, words }) =>
      isCheck && !isExperiment(words)
    );
    const end = new RegExp(`^(?:failed|ran no test|${HIDDEN_END})\\b`).exec(outcome)?.[0] ?? "ok";
    const failedAt = end === "failed"
      ? all.findIndex(({ words }) => failing.some((one) => words.startsWith(one)))
      : -1;
    if (end === "failed" && failedAt < 0 && all.length > 1 && resolved.length === 0) {
      // Any of the checks may have failed, so they are named together.
      const words = all.map((one) => cutCommand(one.words)).join(" && ");
      for (const { head } of all) checks.delete(head);
      // Stored under the last check, so that its next run replaces the line. After `&&`, that run shows that
      // the other checks passed, too.
      checks.set(all.at(-1)?.head ?? words, [`\`${words}\` failed`, edits, moves.length]);
      continue;
    }
    // The outcome belongs to the last check that ran. The checks before it passed, unless a later
    // command of the chain hid how they ended.
    const ran = failedAt < 0 ? all : all.slice(0, failedAt + 1);
    for (const { head, words, folder } of ran) {
      const place = isElsewhere(folder) ? ` in ${folder}` : "";
      checks.delete(head + place);
      const isHidden = unseen.some((one) => words.startsWith(one));
      const own = head === ran.at(-1)?.head ? end : isHidden ? HIDDEN_END : "ok";
      if (own === "failed" && resolved.some((one) => words.startsWith(one))) continue;
      const named = `\`${cutCommand(words)}\`${place} ${own}`;
      checks.set(head + place, [named, edits, moves.length]);
    }
  }
  // The line about the last action already shows a single edit.
  const isBrief = actions.length < MIN_SUMMARY_ACTIONS && edited.size < 2;
  if (isBrief && !checks.has(COMMITTED) && !checks.has(PUSHED)) return "";
  const own = [...edited].filter((file) => !isTemporaryPath(file));
  const shown = own.length > 0 ? own : [...edited];
  const later = checks.has(COMMITTED) ? shown.filter((file) => uncommitted.includes(file)) : [];
  const editsOf = (files: readonly string[]): string =>
    files.length === 0
      ? ""
      : `edited ${andMore(namesOf(files, known).slice(-MAX_SUMMARY_FILES), files.length)}`;
  const parts = [
    editsOf(shown.filter((file) => !later.includes(file))),
    ...[...checks.values()].slice(-MAX_SUMMARY_CHECKS).map(([words, before, moved]) => {
      const since = before === edits ? [] : [`${counted(edits - before, "edit")} since`];
      const notes = moved < moves.length ? [...since, `before \`${moves.at(-1)}\``] : since;
      return notes.length === 0 ? words : `${words} (${notes.join(", ")})`;
    }),
    later.length === 0 ? "" : `after the commit: ${editsOf(later)}`,
  ].filter((one) => one !== "");
  return parts.length === 0 ? "" : SINCE_THEN + parts.join("; ");
}

/** Keeps only the start of a command, because its start joined to its end could read as another command. */
function cutCommand(words: string): string {
  if (words.length <= MAX_SUMMARY_CHARS) return words;
  return `${words.slice(0, MAX_SUMMARY_CHARS).replace(/\s+\S*$/, "")} …`;
}
