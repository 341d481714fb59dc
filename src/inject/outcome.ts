/** Determines how a shell call ended, for every list that shows outcomes. */

import {
  type CommandRun,
  commandRuns,
  hasCheck,
  isOwnCommand,
  reportsFailure,
  runsInBackground,
  simpleCommands,
  withoutOwnEchoes,
} from "../core/shell_commands.ts";
import { checkPattern } from "../core/command_names.ts";
import { ERROR_WORD } from "../core/chain_ends.ts";
import { plainLine } from "../core/error_lines.ts";
import type { OpenCall } from "../core/work_state.ts";
import { asString } from "../transcript/entry.ts";
import { isOwnSkill } from "../transcript/own_words.ts";
import { inBackquotes } from "./excerpt.ts";
import { readProse, sentencesIn } from "./prose.ts";
import { isOutput, printsError, ranNoTest, reasonNotRun, reportsSuccess } from "./telling_lines.ts";

export interface RunOutcome extends CommandRun {
  readonly isUnseen: boolean;
}

export interface Outcome {
  /** The outcome to show if the call did not run or its path does not exist; otherwise `undefined`. */
  readonly unrun: string | undefined;
  /** Whether the exit code or the output reports a failure. */
  readonly isFailed: boolean;
  readonly isUnseen: boolean;
  readonly ranNoTest: boolean;
  /** False if the line failed, runs in the background, or hides the outcome of its last check. */
  readonly isPassed: boolean;
  readonly runs: readonly RunOutcome[];
}

/** Matches commands that stop at a merge conflict. */
const MERGE = /^git (?:merge|rebase|cherry-pick|pull|revert|stash)\b/;
const CONFLICT = /^CONFLICT \(/m;

const GIT_COMMAND = /^git /;
const GIT_ERROR = /^(?:error|fatal): /m;

const HEAD_FILTER = /\|\s*head\b[^;&|\n]*$/;
const OUTPUT_FILTER = /\|\s*(?:tail|[ef]?grep|rg|sed|awk|sort)\b[^;&\n]*$/;

/** Matches filters that print nothing if no line matches. */
const SEARCH_FILTER = /\|\s*(?:[ef]?grep|rg)\b/;

const SUCCESS_SUMMARY =
  /^(?:[#ℹ] fail 0$|✓ built in\b|[ \t]*Finished\b.*\btarget\(s\)|All matched files use Prettier|Finished in [\d.]+m?s$(?![^]*\bERROR\b)|Checked \d+ files?\b(?!.*\bfound\b))/im;

const REPORTS_BY_KIND = [
  {
    kind: checkPattern("test"),
    passed: /^ok\b|^PASS\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b/m,
    failure: /^(?:--- )?FAIL|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b/m,
  },
  {
    kind: checkPattern("lint"),
    passed: /\b(?:0|no) (?:errors|problems|issues)\b|^All checks passed/m,
    failure: /\b[1-9]\d* (?:errors?|problems?|issues?)\b/,
  },
];

/** Matches the last line of `go run` if the program failed, even if a filter hides the exit code. */
const EXIT_STATUS = /^exit status [1-9]\d*\s*$(?![^])/m;

const HELP = / --(?:help|version)\b/;

const MAX_CHECK_CHARS = 60;

const DEFAULT_HEAD_LINES = 10;

export function commandOf({ name, input }: Pick<OpenCall, "name" | "input">): string {
  return name === "Bash" ? asString(input.command) ?? "" : "";
}

/** Whether a call only runs trimtab, for example to save a checkpoint, and so is not work on the task. */
export function isOwnCall(call: Pick<OpenCall, "name" | "input">): boolean {
  if (call.name === "Skill") return isOwnSkill(asString(call.input.skill) ?? "");
  return isOwnCommand(commandOf(call));
}

export function outcomeOf(
  line: string,
  { isError, result }: { readonly isError: boolean; readonly result: string },
): Outcome {
  const all = simpleCommands(line);
  const isChecked = all.some((command) => command.isCheck);
  const isFailed = isError || (isChecked && reportsFailure(line, result)) ||
    (line.includes("|") && EXIT_STATUS.test(result)) ||
    (isChecked && OUTPUT_FILTER.test(line) && printsError(result) && !reportsSuccess(result)) ||
    (all.length === 1 && hidesError(all[0]?.head ?? "", line, result));
  const unrun = isError ? reasonNotRun(result) : undefined;
  const end = { output: result, isFailed, isError };
  const runs = unrun === undefined ? withUnseen(commandRuns(line, end), line, end) : [];
  const isUnseen = !isFailed && runs.findLast((run) => run.isCheck)?.isUnseen === true;
  return {
    unrun,
    isFailed,
    isUnseen,
    ranNoTest: isChecked && !isFailed && ranNoTest(result),
    isPassed: !isFailed && !isUnseen && !runsInBackground(result),
    runs,
  };
}

export function passedChecks({ runs }: Outcome): RunOutcome[] {
  return runs.filter(({ isCheck, isFailed, isUnseen }) => isCheck && !isFailed && !isUnseen);
}

function withUnseen(
  runs: readonly CommandRun[],
  line: string,
  { output, isFailed }: { readonly output: string; readonly isFailed: boolean },
): RunOutcome[] {
  const isReported = (run: CommandRun): boolean => {
    const text = withoutOwnEchoes(line, plainLine(run.output));
    const beside = runs.filter((one) => one.output === run.output);
    const failed = beside.find((one) => one.isFailed)?.words;
    // If several checks share an output, a general report of success does not show which of them passed.
    const isSuccess = (beside.length < runs.length ? failed === undefined : !isFailed) &&
      beside.filter(isUndecided).length === 1 &&
      (reportsSuccess(text) || SUCCESS_SUMMARY.test(text));
    // A success report of the same kind as a failed check is ignored, because it may be about a part of that
    // check.
    return isSuccess ||
      REPORTS_BY_KIND.some(({ kind, passed, failure }) =>
        kind.test(run.words) && !kind.test(failed ?? "") && passed.test(text) &&
        !failure.test(text)
      );
  };
  return runs.map((run, index) => {
    const isLost = run.evidence === "nothing" ||
      (run.evidence === "output" && !isReported(run));
    const isFiltered = !isFailed && index === runs.length - 1 && hidesOutcome(line, output);
    const isUnseen = run.isCheck && !run.isFailed && !HELP.test(run.words) &&
      (isLost || isFiltered);
    return { ...run, isUnseen };
  });
}

function isUndecided({ isCheck, evidence }: CommandRun): boolean {
  return isCheck && evidence === "output";
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

/**
 * Whether git's output shows an error that the exit code hides, as before a filter or `|| true`. If `||`
 * follows, only a merge conflict counts, because other errors are expected.
 */
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
  if (!hasCheck(last) || runsInBackground(output) || HELP.test(last)) return false;
  if (isCutOff(last, output)) return true;
  if (reportsSuccess(output)) return false;
  if (!isOutput(output)) return SEARCH_FILTER.test(last);
  // `head` and a search hide how the check ended. Another filter counts only if the output mentions an error.
  return HEAD_FILTER.test(last) || SEARCH_FILTER.test(last) ||
    (OUTPUT_FILTER.test(last) && ERROR_WORD.test(plainLine(output)));
}

/** A message usually states the verdict on a check in its first sentences. */
const MAX_VERDICT_SENTENCES = 2;

const PASSES =
  /\b(?:tests?|checks?|lint\w*|builds?|compil\w*|code|everything|all|it)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?|works?|compiles?)\b|\bno (?:lint(?:er|ing)? |build |compil\w+ |test )?(?:issues|errors|failures)\b/i;
const DOUBTS = /\b(?:should|if|whether|but|not|still|except|most|some|fail\w*|let me)\b|n't\b|\?$/i;

export function verdictIn(text: string): string {
  const sentences = sentencesIn(readProse(text), "text").slice(0, MAX_VERDICT_SENTENCES);
  return sentences.find((one) => PASSES.test(one) && !DOUBTS.test(one)) ?? "";
}
