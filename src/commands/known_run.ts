/** Describes a command that ran, and decides whether a later run of another command covers it. */

import { lastPart } from "../core/last_part.ts";
import { checkPattern } from "../core/command_names.ts";
import { isApiWrite } from "../core/shell_commands.ts";
import type { Said } from "../core/work_state.ts";
import { isCommit, isPush } from "../changes/commits.ts";
import { filterOf, includesPaths, includesScript, taskOf, withoutFolder } from "./check_paths.ts";

export const UNSEEN = "ran, outcome not shown";

export interface KnownRun {
  /** The command without options and most arguments, so that runs of the same command share it. */
  readonly head: string;
  readonly words: string;
  /** Folder the command ran in; empty if it is inside the session's folder. */
  readonly tree: string;
  readonly count: number;
  readonly isFailed: boolean;
  readonly isCheck: boolean;
  /** The outcome if the command did not fail. */
  readonly end: "ok" | "ran" | "ran no test" | typeof UNSEEN;
  readonly errors: readonly string[];
  /** Describes the failure before the command passed; empty if there was none. */
  readonly earlierFailure: string;
  /** `count` and `earlierFailure`, limited to the request during which the command ran. */
  readonly inRequest: { readonly count: number; readonly failure: string };
  /** The last failure before this run, if no run since that failure has shown its outcome. */
  readonly failure: KnownRun | undefined;
  /** The assistant's explanation of the failure or of the unknown outcome; empty if there was none. */
  readonly why: string;
  readonly isByAgent: boolean;
  /** The number of edits before the run. */
  readonly edits: number;
  /** The number of runs before the run. */
  readonly order: number;
  /** The number of prompts before the run. */
  readonly prompts: number;
  readonly from: Said["from"];
}

export function programOf(words: string): string {
  return withoutFolder(words).split(" ", 1)[0] ?? "";
}

type CheckRun = Pick<KnownRun, "words" | "tree" | "isCheck">;

export function lastFailure(run: KnownRun | undefined): KnownRun | undefined {
  if (run?.isFailed === true) return run;
  return run?.end === UNSEEN ? run.failure : undefined;
}

const COMPILING_TEST = /\btest\b.* (?:-c|--no-run)\b/;

const CHECK_NAME = checkPattern("test", "lint", "format", "compile", "check");

/** Names of checks, grouped by kind. Any other name is a kind of its own. */
const KINDS: readonly (readonly [kind: string, names: RegExp])[] = [
  ["test", checkPattern("test")],
  // These fail if the code does not compile.
  ["build", checkPattern("compile", "check")],
  ["lint", /lint$/],
];

/** Matches git and gh commands. Their words can look like checks, as in `git commit -m "Fix the test"`. */
const GIT_TOOL = /^(?:cd \S+ && )?(?:git|gh)\s/;

function kindOf({ words, tree }: Omit<CheckRun, "isCheck">): string {
  const [name = words] = GIT_TOOL.test(words) ? [] : CHECK_NAME.exec(taskOf(words)) ?? [];
  const [kind = name] = KINDS.find(([, names]) => names.test(name)) ?? [];
  return `${tree} ${COMPILING_TEST.test(words) ? "build" : kind}`;
}

/** After a commit or a push, earlier failures count as resolved or accepted. */
export function isCommitOrPush({ words }: Pick<KnownRun, "words">): boolean {
  return isCommit(words) || isPush(words);
}

export function covers(passed: CheckRun, failed: Omit<CheckRun, "isCheck">): boolean {
  return passed.isCheck && kindOf(passed) === kindOf(failed) &&
    // A filter selects every test that a longer filter with the same start selects.
    filterOf(failed.words).startsWith(filterOf(passed.words)) &&
    includesPaths(passed.words, failed.words) && includesScript(passed.words, failed.words);
}

/**
 * Whether a later run resolves a failure. A failed `gh api` write often has a longer endpoint than the write
 * that succeeded, so the failed endpoint only has to start with the other.
 */
export function resolves(passed: KnownRun, failed: KnownRun): boolean {
  if (passed.order <= failed.order) return false;
  return isApiWrite(failed.words)
    ? isApiWrite(passed.words) && failed.head.startsWith(passed.head)
    : covers(passed, failed);
}

const WRONG_ARGUMENTS =
  /^(?:[\w./-]+: )?(?:error: |fatal: )?(?:(?:unknown|unrecognized|invalid|unexpected|illegal) (?:option|flag|argument|shorthand|switch|command|subcommand)s?\b|accepts (?:at (?:least|most)|between|\d+)\b|usage:(?: |$))/i;

const OPTION = /(?<= )--?[a-z][\w-]*/gi;

/** Whether the command was called with wrong arguments, such as an option that it took for a file name. */
export function isWrongCall(
  { words, errors: [error = ""] }: Pick<KnownRun, "words" | "errors">,
): boolean {
  if (WRONG_ARGUMENTS.test(error)) return true;
  return NO_SUCH_FILE.test(error) &&
    (words.match(OPTION) ?? []).some((option) => error.includes(option));
}

const NO_SUCH_FILE = /\bno such file or directory\b/i;

export function isProgramMissing(words: string, output: string): boolean {
  const name = RegExp.escape(lastPart(programOf(words)));
  const byShell = `(?:\\S+: )?(?:(?:line )?\\d+: )?${name}: (?:command )?not found`;
  const byZsh = `\\S+: command not found: ${name}`;
  const other = `${name} (?:is )?not (?:found|available|installed)\\.?`;
  return new RegExp(`^(?:${byShell}|${byZsh}|${other})$`, "m").test(output);
}

/**
 * Matches an error about a missing program or script, which is not a problem in the code. Does not match an
 * error about a module that the code imports.
 */
const MISSING = /: No module named \w+$|: command not found$|\bMissing script: /m;

/**
 * Whether a failure is a problem in the code, rather than only in the call. Without an error message, only a
 * failed check counts.
 */
export function isProblem({ isCheck, words, errors }: KnownRun): boolean {
  const text = errors.join("\n");
  if (/^(?:error\W*)?$/i.test(text)) return isCheck;
  return !MISSING.test(text) && !isWrongCall({ words, errors });
}
