/** Tracks the failed tests of a run through later runs and edits. */

import { andMore } from "../inject/bound.ts";
import { setNewest } from "../core/newest.ts";
import { patchOf } from "../inject/patches.ts";
import type { FinishedCall } from "../core/work_state.ts";
import { includesPaths } from "./check_paths.ts";
import type { KnownRun } from "./known_run.ts";

const MAX_DROPPED = 200;
const MAX_NAMED = 2;

/** Captures the failed tests in a line of output from Go, pytest, Deno or Rust. */
const FAILED_TEST =
  /^--- FAIL: ([^(]+?)(?: \(.*)?$|^FAILED \S+::(\w+)|^(?:test )?(\S.*?) \.\.\. FAILED\b/;

const DECLARED_TEST =
  /\b(?:func|function|def|fn) (?:\([^)]*\) ?)?(\w+)|\b(?:test|it)\(\s*["'`]([^"'`]+)/;

/** Matches a name that is specific enough to be a test's name, unlike the word "login". */
const TEST_NAME = /^(?=.*[\s_A-Z]).{6,}$/;

export class DroppedTests {
  /** By test: the number of edits before the edit that renamed, moved or removed it. */
  readonly #dropped = new Map<string, number>();

  edited(call: FinishedCall, edits: number): void {
    const { added, removed } = patchOf(call);
    const declared = declaredTests(added);
    for (const name of declaredTests(removed)) {
      if (!declared.includes(name)) setNewest(this.#dropped, name, edits, MAX_DROPPED);
    }
    for (const name of declared) this.#dropped.delete(name);
  }

  /**
   * Describes the failed tests that have since passed in a run of their own, or that later edits dropped;
   * empty if there are none.
   */
  describe(failure: KnownRun, passed: readonly KnownRun[]): string {
    const failed = failedTests(failure.errors);
    const isDropped = (test: string): boolean =>
      (this.#dropped.get(parentTestOf(test)) ?? -1) >= failure.edits;
    const dropped = failed.filter(isDropped);
    const later = passed.filter(({ isCheck, order, tree, words }) =>
      isCheck && order > failure.order && tree === failure.tree &&
      (includesPaths(failure.words, words) || includesPaths(words, failure.words))
    );
    const alone = failed.filter((test) =>
      !isDropped(test) && later.some(({ words }) => runsTest(words, test))
    );
    return describeTests(alone, "passed alone since then") +
      describeTests(dropped, "renamed, moved or removed since then");
  }
}

function describeTests(tests: readonly string[], what: string): string {
  return tests.length === 0 ? "" : `; ${andMore(tests.slice(0, MAX_NAMED), tests.length)} ${what}`;
}

function failedTests(errors: readonly string[]): string[] {
  const names = errors.flatMap((line) => {
    const [, ...groups] = FAILED_TEST.exec(line) ?? [];
    return groups.find((group) => group !== undefined)?.split(", ") ?? [];
  });
  return [...new Set(names)].filter((name) => TEST_NAME.test(name));
}

function declaredTests(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, name, title] = DECLARED_TEST.exec(line) ?? [];
    return name ?? title ?? [];
  });
}

/** Returns the name of the test function that contains a Go subtest. */
function parentTestOf(test: string): string {
  return test.split("/", 1)[0] ?? test;
}

function runsTest(words: string, test: string): boolean {
  return [test, parentTestOf(test)].some((name) =>
    new RegExp(`(?<!\\w)${RegExp.escape(name)}(?![\\w/])`).test(words)
  );
}
