/** Reads the counts from the report of `deno test`. */

import { LEFT_OUT } from "../tests/full.ts";

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the skipped tests and steps, each with its reason. */
  readonly skippedNames: readonly string[];
  /** Descriptions of the tests that only a full run includes. */
  readonly leftOut: readonly string[];
}

export const NO_TOTALS: Totals = {
  passed: 0,
  failed: 0,
  skipped: 0,
  skippedNames: [],
  leftOut: [],
};

const LEFT_OUT_LINE = new RegExp(`^${LEFT_OUT}(.+)$`, "gm");
const STEPS = String.raw`(?: \((\d+) steps?\))?`;
const SUMMARY = new RegExp(
  String.raw`^(?:ok|FAILED) \| (\d+) passed${STEPS} \| (\d+) failed${STEPS}` +
    String.raw`(?: \| (\d+) ignored${STEPS})?(?: \| \d+ [a-z ]+)* \([^()]+\)$`,
);
const IGNORED = /^(?:\.{0,2}\/?[^ ]+ => )?(.+) \.\.\. ignored(?: \([^()]+\))?$/;
const OUTPUT_START = /^-+ (?:pre-test |post-test )?output -+$/;
const OUTPUT_END = /-+ (?:pre-test |post-test )?output end -+$/;

/**
 * Reads the report of one `deno test` run.
 *
 * A test's own output is skipped, so a summary that a test prints has no effect. A failed run counts at least
 * one failure, because its report may list no failed test: after a type error, a crash, or a rejected promise
 * outside of any test.
 *
 * @param report The run's stdout, without colors.
 * @param success Whether the run exited with 0.
 */
export function parseTestReport(report: string, success: boolean): Totals {
  let totals: Totals | undefined;
  const leftOut = Array.from(
    report.matchAll(LEFT_OUT_LINE),
    ([, description = ""]) => description.trim(),
  );
  const skippedNames: string[] = [];
  for (const line of reportLines(report)) {
    const ignored = IGNORED.exec(line)?.[1];
    if (ignored !== undefined) skippedNames.push(ignored.trim());
    const summary = SUMMARY.exec(line);
    if (summary === null) continue;
    const count = (group: number) => Number(summary[group] ?? 0);
    totals = {
      passed: count(1),
      failed: count(3),
      skipped: count(5) + count(6),
      skippedNames,
      leftOut,
    };
  }
  totals ??= { ...NO_TOTALS, skippedNames, leftOut };
  // A run without tests counts as a failure.
  const hasPassed = success && totals.passed > 0;
  return hasPassed || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    skippedNames: [...a.skippedNames, ...b.skippedNames],
    leftOut: [...a.leftOut, ...b.leftOut],
  };
}

export function totalsLine(totals: Totals): string {
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  return `${totals.passed} passed, ${totals.failed} failed${skipped}`;
}

function* reportLines(report: string): Iterable<string> {
  let inOutput = false;
  for (const line of report.split(/\r?\n/)) {
    if (inOutput) inOutput = !OUTPUT_END.test(line);
    else if (OUTPUT_START.test(line)) inOutput = true;
    else yield line;
  }
}
