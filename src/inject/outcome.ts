/** Determines how a shell call ended, for every list that shows outcomes. */

import {
  type CommandRun,
  commandRuns,
  hasCheck,
  isStarted,
  reportsFailure,
  simpleCommands,
} from "../core/shell_commands.ts";
import { plainLine } from "../core/error_lines.ts";
import type { OpenCall } from "../core/work_state.ts";
import { asString } from "../transcript/entry.ts";
import { inBackquotes } from "./excerpt.ts";
import { isOutput, printsError, ranNoTest, reasonNotRun, reportsSuccess } from "./telling_lines.ts";

export interface Outcome {
  /** The reason why the call never ran, such as "refused"; `undefined` if it ran. */
  readonly unrun: string | undefined;
  /** Whether the exit code or the output reports a failure. */
  readonly isFailed: boolean;
  /** Whether a filter hid how the line's last check ended. */
  readonly isUnseen: boolean;
  /** Whether a check found no test to run. */
  readonly ranNoTest: boolean;
  /** Whether the line, or its last check, is known to have passed. */
  readonly isPassed: boolean;
  /** The line's commands that ran, each with its own outcome. */
  readonly runs: readonly CommandRun[];
}

/** Commands that stop at a merge conflict, which a following `|| true` would hide. */
const MERGE = /^git (?:merge|rebase|cherry-pick|pull|revert|stash)\b/;
const CONFLICT = /^CONFLICT \(/m;

/** If a filter follows git, the exit code hides git's errors. Before `||`, an error is expected. */
const GIT_COMMAND = /^git /;
const GIT_ERROR = /^(?:error|fatal): /m;

/** Match a command whose output `head` cuts, and a command whose exit code comes from a filter. */
const HEAD_FILTER = /\|\s*head\b[^;&|\n]*$/;
const OUTPUT_FILTER = /\|\s*(?:tail|[ef]?grep|rg|sed|awk|sort)\b[^;&\n]*$/;

/** Matches filters that print nothing if no line matches. */
const SEARCH_FILTER = /\|\s*(?:[ef]?grep|rg)\b/;

const ERROR_WORD = /\b(?:ERROR|[Ee]rror:|FAIL(?:ED)?|failed|fatal|panic)\b/;

const MAX_CHECK_CHARS = 60;

/** Lines that `head` prints without an option. */
const DEFAULT_HEAD_LINES = 10;

/** Returns the shell command of a call; empty for another tool. */
export function commandOf({ name, input }: OpenCall): string {
  return name === "Bash" ? asString(input.command) ?? "" : "";
}

/** Determines the outcome of a command line from the client's result. */
export function outcomeOf(
  line: string,
  { isError, result }: { readonly isError: boolean; readonly result: string },
): Outcome {
  const all = simpleCommands(line);
  const isChecked = all.some((command) => command.isCheck);
  const isFailed = isError || (isChecked && reportsFailure(line, result)) ||
    (isChecked && OUTPUT_FILTER.test(line) && printsError(result) && !reportsSuccess(result)) ||
    (all.length === 1 && hidesError(all[0]?.head ?? "", line, result));
  const unrun = isError ? reasonNotRun(result) : undefined;
  const isUnseen = !isFailed && hidesOutcome(line, result);
  return {
    unrun,
    isFailed,
    isUnseen,
    ranNoTest: isChecked && !isFailed && ranNoTest(result),
    isPassed: !isFailed && !isUnseen && !isStarted(result),
    runs: unrun === undefined ? commandRuns(line, result, isFailed) : [],
  };
}

/** Describes how the failed check or, if none failed, the last check ended; empty if unknown. */
export function describeCheck(
  command: string,
  call: { readonly isError: boolean; readonly result: string },
): string {
  const { isPassed, isFailed, runs } = outcomeOf(command, call);
  const check = runs.find((run) => run.isCheck && run.isFailed) ??
    simpleCommands(command).findLast((command) => command.isCheck);
  if (check === undefined || isPassed === isFailed) return "";
  return `a ${isPassed ? "passing" : "failing"} ${inBackquotes(check.words, MAX_CHECK_CHARS)}`;
}

function hidesError(head: string, line: string, output: string): boolean {
  return (MERGE.test(head) && CONFLICT.test(output)) ||
    (GIT_COMMAND.test(head) && GIT_ERROR.test(output) && !line.includes("||"));
}

/** Whether `head` reached its line limit, so that the verdict after those lines is unknown. */
function isCutOff(command: string, output: string): boolean {
  const [filter = ""] = HEAD_FILTER.exec(command) ?? [];
  if (/ -c/.test(filter)) return false;
  const count = Number(/-n? ?(\d+)/.exec(filter)?.[1] ?? DEFAULT_HEAD_LINES);
  return filter !== "" && output.trimEnd().split("\n").length >= count;
}

function hidesOutcome(line: string, output: string): boolean {
  const last = line.split(/;|&&|\n/).at(-1) ?? "";
  if (!hasCheck(last) || isStarted(output) || / --(?:help|version)\b/.test(last)) return false;
  if (isCutOff(last, output)) return true;
  if (reportsSuccess(output)) return false;
  if (!isOutput(output)) return SEARCH_FILTER.test(last);
  // A search shows only matching lines, not how the check ended.
  return HEAD_FILTER.test(last) || SEARCH_FILTER.test(last) ||
    (OUTPUT_FILTER.test(last) && ERROR_WORD.test(plainLine(output)));
}
