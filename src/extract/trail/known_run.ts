/** Describes a command that ran, and decides whether a later run of another command covers it. */

import type { Said } from "../../core/work_state.ts";
import { isCommit, isPush } from "../commits.ts";

export const UNSEEN = "ran, outcome not shown";

export interface KnownRun {
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
  /** The last failure, until a run is known to have passed. */
  readonly failure: KnownRun | undefined;
  /** Number of edits before the last run that passed; undefined if none did. */
  readonly passedAt: number | undefined;
  /** The assistant's explanation of the failure or of the unknown outcome; empty if there was none. */
  readonly why: string;
  /** Whether a subagent ran it. */
  readonly isByAgent: boolean;
  readonly edits: number;
  readonly order: number;
  /** Number of prompts before the run. */
  readonly prompts: number;
  readonly from: Said["from"];
}

const TEST_FILTER =
  / (?:-run|-k|-t|-g|--grep|--filter|--testNamePattern)[= ](?:"[^"]*"|'[^']*'|\S+)/;

/** Returns a command without the change of folder before it. */
export function withoutFolder(words: string): string {
  return words.replace(/^cd \S+ && /, "");
}

export function programOf(words: string): string {
  return withoutFolder(words).split(" ", 1)[0] ?? "";
}

/** Returns the option that selects tests, such as `--filter login`; empty if there is none. */
export function filterOf(words: string): string {
  return TEST_FILTER.exec(words)?.[0].replaceAll(/["']/g, "") ?? "";
}

/** Returns the failure that no later run is known to have settled. */
export function lastFailure(run: KnownRun | undefined): KnownRun | undefined {
  if (run?.isFailed === true) return run;
  return run?.end === UNSEEN ? run.failure : undefined;
}

/** Kinds of checks that fail if the code does not compile. */
const COMPILING_KINDS = new Set(["build", "check", "vet", "compile", "tsc"]);

/** Matches a check that runs no tests. */
export const COMPILING = /\b(?:build|check|vet|compile|tsc|lint|fmt|format)\b/;

/** Matches a command that compiles tests without running them. */
const COMPILING_TEST = /\btest\b.* (?:-c|--no-run)\b/;

/** Combines the kind of a check, such as `test`, with the folder where it ran. */
export function kindOf({ words, tree }: KnownRun): string {
  const kind = COMPILING_TEST.test(words)
    ? "compile"
    : /test|lint|build|check|fmt|vet|compile|tsc/.exec(words)?.[0] ?? words;
  return `${tree} ${COMPILING_KINDS.has(kind) ? "build" : kind}`;
}

/** After a commit or a push, earlier failures count as resolved or accepted. */
export function isFinish({ words }: Pick<KnownRun, "words">): boolean {
  return isCommit(words) || isPush(words);
}

/**
 * Whether a passing check counts as including a failed one of the same kind. It does with the same filter, as
 * another program, or with a shorter command, because a program checks more with fewer arguments.
 */
export function covers(passed: KnownRun, failed: KnownRun): boolean {
  if (!passed.isCheck || kindOf(passed) !== kindOf(failed)) return false;
  const filter = filterOf(failed.words);
  if (filter !== "" && filter === filterOf(passed.words)) return true;
  // A filter also selects the tests of every filter that starts with it.
  if (!filter.startsWith(filterOf(passed.words))) return false;
  const isOther = programOf(passed.words) !== programOf(failed.words);
  return isOther || passed.words.length < failed.words.length;
}
