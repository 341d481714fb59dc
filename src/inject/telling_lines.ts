/** Selects the lines of an output that report its outcome. */

import { plainLine } from "../core/error_lines.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { EXPECTATION } from "./ends.ts";
import { isRefusal, refusalWords } from "../transcript/own_words.ts";

const MAX_OUTPUT_CHARS = 64 * 1024;

/** Matches lines that do not show why a command failed, such as exit codes and rows of a progress meter. */
const UNINFORMATIVE =
  /^(?:Shell cwd was reset to|\[[\w:.-]+\] (?:\$|ERROR task failed)|(?:error: )?(?:command )?(?:exited?|failed) with (?:exit )?(?:code|status)|Exit code \d+$|FAIL(?:ED)?(?:\s+\S+\s+[\d.]+s)?$|error Command failed|ELIFECYCLE|npm (?:ERR!|error) (?:code|errno|path|command|Lifecycle)|make: \*\*\*|% Total\s+% Received|(?:\[[\w:.-]+\] )?Finished in [\d.]+m?s$|npm audit fix|To address (?:all )?issues|run `npm (?:audit|fund)`|\d+ packages? (?:is|are) looking for funding|\[[\w:.-]+\]\s*$|(?:---|\+\+\+) (?:Expected|Actual)$|Error Trace:|"(?:message|documentation_url|status)": "|goroutine \d+ \[|testing\.tRunner\b|created by |\S+:\d+ \+0x[0-9a-f]+$|panic\(\{0x|\S+:\d+(?::\d+)?: : #|(?:\d{1,3}\s+[\d.]+[kMG]?\s+){3}|\s*$)/i;

/** Matches lines about packages without tests, which would crowd out other lines. */
const NO_TESTS = /\[no tests? (?:to run|files)\]/;

const RAN_WITHOUT_TESTS =
  /\bno tests? (?:to run|ran|found|were found)\b|\bcollected 0 items\b|^running 0 tests$|\bno test files found\b/im;
const RAN_WITH_TESTS =
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests)|^\s*--- (?:PASS|FAIL)|\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^running [1-9]\d* tests?$/im;

export function ranNoTest(output: string): boolean {
  return RAN_WITHOUT_TESTS.test(output) && !RAN_WITH_TESTS.test(output);
}

const CONSEQUENCE =
  /\bcould not import\b|\btoo many errors\b|\[(?:build|setup) failed\]|^\d+ issues:/i;

const FAILURE_MARK =
  /--- FAIL|^\s*FAIL\b(?!.*\[(?:build|setup) failed\])|[✗✕✘]|AssertionError|panic:|CONFLICT|\bnot ok\b/;

/**
 * Patterns of lines, the most informative first: failure marks, expectations, clear reasons or remedies,
 * detailed errors, any error.
 */
const RANKS = [
  FAILURE_MARK,
  EXPECTATION,
  /\bnot trusted\b|\b(?:trust|run|try|use|install)\b[^`:]{0,20} `(?!npm (?:fund|audit))|\bdid you mean\b|\bno such file\b|\bcommand not found\b|\bunknown (?:flag|option|command|subcommand)\b|\[(?:remote )?rejected\]/i,
  /\berror\b.*[:(]|Error:|\bexpected\b|undefined:|cannot |[\w/]\.\w+:\d+/i,
  /\b(?:error|fail(?:ed|ure|s|ing)?|fatal|panic|exception|traceback|could not|no module named|no Go files|not found|no matches found|undefined|denied|conflict)\b/i,
];

const PASSED =
  /\b[1-9]\d* (?:tests? )?(?:passed|passing|succeeded)\b|^ok\b|^(?:--- )?PASS\b|\ball (?:tests|checks) pass|\b(?:0|no) (?:errors|failures|problems|issues)\b|\bsucceeded\b|\bsuccessful(?:ly)?\b/i;

/** Matches a summary line, which can report any outcome. */
const SUMMARY_LINE = /^(?:summary|total|result|verdict|conclusion)\b\s*[:=]/i;

/** Whether a command printed anything, apart from the text that the client adds. */
export function isOutput(result: string): boolean {
  return result.replaceAll(/^Shell cwd was reset to .*$/gm, "").trim() !== "";
}

/** Matches the line of a Go package whose tests passed. */
const PASSED_PACKAGE = /^ok\s+\S+\s+(?:[\d.]+m?s|\(cached\))/;

/** If more packages passed, only their number is shown. */
const MAX_NAMED_PACKAGES = 2;

/** Matches vague success words, which a script may print after any of its steps. */
const VAGUE_SUCCESS = /\bsucceeded\b|\bsuccessful(?:ly)?\b/i;

const ERROR_LINE = /^[ \t]*ERROR: /m;

/**
 * Whether a line near the output's end starts with `ERROR: `, which shows a failure even if a filter hid the
 * exit code.
 */
export function printsError(output: string): boolean {
  return ERROR_LINE.test(plainLine(output.slice(-MAX_OUTPUT_CHARS)));
}

/**
 * Whether a line near the output's end reports success. If {@linkcode printsError} is true, vague success
 * words do not count.
 */
export function reportsSuccess(output: string): boolean {
  const lines = plainLine(output.slice(-MAX_OUTPUT_CHARS)).split("\n");
  const hasError = printsError(output);
  return lines.some((line) => PASSED.test(line.trim()) && !(hasError && VAGUE_SUCCESS.test(line)));
}

/** Matches the client's result of a search without matches. */
export const FOUND_NOTHING = /^No \w+ found/;

/** The outcome of a call that the client dropped, because another call of the same message failed. */
export const NOT_STARTED = "not run";

export const STOPPED_BY_USER = "stopped by the user";

/** The outcome of a look-up whose file or folder does not exist. */
export const NO_SUCH_PATH = "no such path";

/** Patterns for results of calls that did not run or whose path does not exist, with the outcome to show. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:Permission for this action was denied|Claude requested permissions? to|This command requires approval|\S+ (?:in|to) '[^'\n]*' was blocked\b)/,
    "not allowed",
  ],
  [/^(?:Exit code \d+\s+)?\[Request interrupted/, STOPPED_BY_USER],
  [/^Sibling tool call errored/, NOT_STARTED],
  [/^(?:File|Path) does not exist/, NO_SUCH_PATH],
];

/** Whether an outcome means that a call never ran; a look-up of a missing path did run. */
export function didNotRun(outcome: string): boolean {
  return ["refused", STOPPED_BY_USER, "not allowed", NOT_STARTED].some((reason) =>
    outcome.startsWith(reason)
  );
}

export function reasonNotRun(result: string): string | undefined {
  const start = resultStart(result);
  if (isRefusal(start)) return refusalWords(result) === "" ? STOPPED_BY_USER : "refused";
  return NOT_RUN.find(([pattern]) => pattern.test(start))?.[1];
}

function resultStart(result: string): string {
  return result.slice(0, 200).replace(/^\s*<tool_use_error>\s*/, "");
}

/** Matches the error of an edit whose text, or whose view of the file, was out of date. */
export const OUTDATED_EDIT =
  /String to replace not found|Found \d+ matches|File has (?:not been read|been modified)/;

/** Prefixes of the client's results for calls that it rejected. The assistant usually tries another way. */
const REJECTED_CALLS = [
  "File has not been read yet",
  "File does not exist",
  "Path does not exist",
  "InputValidationError",
  "No such tool available",
];

export function isRejectedCall(result: string): boolean {
  return REJECTED_CALLS.some((rejection) => resultStart(result).startsWith(rejection));
}

/** Matches lines that the client adds when it moves an output to a file. */
const PERSISTED = /^<\/?persisted-output>|^Output too large\b|^Preview \(first /;

/** Matches the HTML comments and buttons at the end of a bot's comment. */
const MARKUP = /^<!--|-->$|^<(?:p><a|a|img|picture|sub)\b.*>$/;

/** Captures the name of a mise task, which starts each line of the task's output. */
const TASK = /^\[([\w:.-]+)\] (?:\$ |ERROR task failed)/gm;

function informativeLines(output: string): string[] {
  // Redacts before splitting, because a credential can span lines that look harmless on their own.
  const text = redactSecrets(output.slice(-MAX_OUTPUT_CHARS)).replaceAll(
    /<\/?tool_use_error>/g,
    "",
  );
  const tasks = new Set([...text.matchAll(TASK)].map(([, name]) => name));
  return text.split("\n")
    // A progress meter overwrites its line; a terminal shows only the end.
    .map((line) => line.trim().split("\r").at(-1) ?? "")
    .filter((line) => !UNINFORMATIVE.test(line))
    .map((line) =>
      line.replace(/^\[([\w:.-]+)\]\s+/, (all, name: string) => tasks.has(name) ? "" : all)
    )
    .filter((line) =>
      /[\p{L}\p{N}]/u.test(line) && !UNINFORMATIVE.test(line) && !NO_TESTS.test(line) &&
      !PERSISTED.test(line) && !MARKUP.test(line)
    );
}

const FAILED_TEST = /^--- FAIL: (\S+)/;
const CONFLICT = /^CONFLICT \([^)]*\): .*?\bin (\S+)$/;

function joinNames(lines: readonly string[], label: string, pattern: RegExp): readonly string[] {
  const all = lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  // A test is omitted if its failed subtests are listed.
  const names = all.filter((name) => !all.some((other) => other.startsWith(`${name}/`)));
  if (names.length < 2) return lines;
  return [label + names.join(", "), ...lines.filter((line) => !pattern.test(line))];
}

const TEST_PLACE =
  /^\S*(?:_test|[._]spec|\.test)\.\w+:\d+: (?!.*\b(?:success\w*|passed|completed)\b)/;
const LOGGED =
  /^[\w.-]+\.\w+:\d+: (?!.*\b(?:error|fail\w*|panic|expected|want|cannot|undefined)\b)/i;

/**
 * Captures the file name in an error that starts with its location, such as `src/a.go:12:3: undefined: x`.
 */
const ERROR_LOCATION = /^(\S+\.\w+)(?::\d+(?::\d+)?|\(\d+,\d+\)): /;

/** Matches a line that ends in a program's exit code. The program's output follows the line. */
const EXIT_CODE_LINE = /\bexit status \d+:?$/;

/**
 * If a test reports a location, drops log lines, and joins each line that ends in an exit code to the first
 * line of the program's output.
 */
function withoutLog(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => TEST_PLACE.test(line))) return lines;
  const reported: string[] = [];
  for (const line of lines) {
    const before = reported.at(-1) ?? "";
    if (TEST_PLACE.test(before) && EXIT_CODE_LINE.test(before)) {
      reported[reported.length - 1] += ` ${line}`;
    } else if (TEST_PLACE.test(line) || !LOGGED.test(line)) reported.push(line);
  }
  return reported;
}

/** Matches the line of a Go package with a failed test. */
const FAILED_PACKAGE = /^FAIL\s+\S+\s+[\d.]+s$/gm;

/** Matches a line that identifies what failed, unlike an error that a test only logged. */
const FAILURE_SITE = /--- FAIL|panic:|[\w/]\.\w+:\d+/;

export function errorLines(output: string, maxLines: number): string[] {
  // If a filter cut off the failed tests, the remaining errors can be from the logs of passing tests. Only
  // the failed packages are named then.
  const packages = FAILURE_SITE.test(output) ? null : output.match(FAILED_PACKAGE);
  if (packages !== null) {
    return packages.map((line) => line.replaceAll(/\s+/g, " ")).slice(0, maxLines);
  }
  const { summary, rest } = withoutSource(joinPlaces(withPaths(informativeLines(output))));
  const reported = withoutLog(rest.filter((line) => !/^[✓✔√] /.test(line)));
  const failed = joinNames(reported, "--- FAIL: ", FAILED_TEST);
  const all = joinNames(failed, "CONFLICT in ", CONFLICT);
  const isConsequence = (line: string): number => Number(CONSEQUENCE.test(line));
  const places = placesIn(reported);
  // If each failed test reports a problem, its other lines are a log.
  const isLogged = (line: string): boolean =>
    TEST_PLACE.test(line) && !isReport(line) && places.length > 0 && places.every(isReport);
  const lines = all.filter((line) => !isLogged(line))
    .toSorted((a, b) => isConsequence(a) - isConsequence(b));
  const ranked = RANKS.flatMap((rank) => onePerFileFirst(lines.filter((line) => rank.test(line))));
  const names = places.length === 0 ? [] : all.filter((line) => FAILED_TEST.test(line)).slice(0, 1);
  return [...new Set([...summary, ...names, ...places, ...ranked])].slice(0, maxLines);
}

/** Matches an ESLint error. The file's path is on an earlier line. */
const ESLINT_ERROR = /^\d+:\d+\s+error\s/;
const PATH_ONLY = /^\S*[\w)\]]\.\w{1,5}$/;

function withPaths(lines: readonly string[]): string[] {
  let path = "";
  return lines.map((line) => {
    if (PATH_ONLY.test(line)) path = line;
    return path !== "" && ESLINT_ERROR.test(line) ? `${path}:${line}` : line;
  });
}

/** Matches a line with only the location of a failed assertion; the next line has the message. */
const BARE_PLACE = /^\S+\.\w+:\d+:$/;

function joinPlaces(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    if (BARE_PLACE.test(lines[at - 1] ?? "")) return [];
    return BARE_PLACE.test(line) ? `${line} ${lines[at + 1] ?? ""}`.trim() : line;
  });
}

/** Captures the number of findings of golangci-lint. The lines below list the number for each linter. */
const FINDINGS = /^(\d+) issues:$/;
const FINDINGS_OF_LINTER = /^\* ([\w-]+: \d+)$/;

/** If there are more findings, their number and kinds are shown first. */
const MAX_LISTED_FINDINGS = 3;

/** Leaves out the source code below each finding of golangci-lint. */
function withoutSource(
  lines: readonly string[],
): { readonly summary: readonly string[]; readonly rest: readonly string[] } {
  const at = lines.findIndex((line) => FINDINGS.test(line));
  if (at < 0) return { summary: [], rest: lines };
  const count = FINDINGS.exec(lines[at] ?? "")?.[1] ?? "";
  const kinds = lines.slice(at + 1).flatMap((line) => FINDINGS_OF_LINTER.exec(line)?.[1] ?? []);
  const located = lines.filter((line) => ERROR_LOCATION.test(line) || FAILURE_MARK.test(line));
  const isListed = located.length > 0 &&
    (kinds.length === 0 || Number(count) <= MAX_LISTED_FINDINGS);
  const summary = `${count} issues` + (kinds.length === 0 ? "" : `: ${kinds.join(", ")}`);
  return { summary: isListed ? [] : [summary], rest: located };
}

/** Matches a line of `go test` between the outputs of two tests. */
const TEST_BORDER = /^(?:===|---) /;

const REPORTS =
  /\b(?:error|fail\w*|panic|expected|want|got|cannot|undefined|should|must|not|mismatch\w*|incorrect\w*|invalid|wrong)\b|n't\b/i;

function isReport(line: string): boolean {
  return REPORTS.test(line);
}

/**
 * Finds a line with a location for each failed test: above the test's line with `-v`, otherwise below it. If
 * some of these lines report a problem, returns only those.
 */
function placesIn(lines: readonly string[]): string[] {
  const places = lines.flatMap((line, at) => {
    if (!FAILED_TEST.test(line)) return [];
    const start = lines.slice(0, at).findLastIndex((one) => TEST_BORDER.test(one));
    const isAbove = start >= 0 && lines[start]?.startsWith("===") === true;
    const after = lines.slice(at + 1);
    const end = after.findIndex((one) => TEST_BORDER.test(one));
    const below = after.slice(0, end < 0 ? undefined : end);
    const above = isAbove ? lines.slice(start + 1, at) : [];
    return above.findLast((one) => TEST_PLACE.test(one)) ??
      below.find((one) => EXPECTATION.test(one)) ??
      below.find((one) => TEST_PLACE.test(one) && REPORTS.test(one)) ??
      below.find((one) => TEST_PLACE.test(one)) ?? [];
  });
  const reporting = places.filter(isReport);
  return reporting.length === 0 ? places : reporting;
}

/** Puts the first error of each file before all errors, so that a short list covers more of the files. */
function onePerFileFirst(lines: readonly string[]): string[] {
  const files = new Set<string>();
  const isNew = (line: string): boolean =>
    files.size < files.add(ERROR_LOCATION.exec(line)?.[1] ?? line).size;
  return [...lines.filter(isNew), ...lines];
}

/** Matches the client's own error, which begins with the reason and then quotes the call. */
const CLIENT_ERROR =
  /^(?:<tool_use_error>|(?=Found \d+ matches of the string|String to replace not found))([^\n]+?(?:\.(?=[ \n<]|$)|(?=[\n<]|$)))/;

const NOT_ABOUT_FAILURE = /^(?:=== \w+|hint:)/;

/**
 * Returns the lines that explain why a call failed, the most informative first; if there are none,
 * joins the last two lines.
 */
export function failureLines(output: string, maxLines: number): string[] {
  const reason = CLIENT_ERROR.exec(output)?.[1];
  if (reason !== undefined) return [redactSecrets(reason)];
  const errors = errorLines(output, maxLines);
  if (errors.length > 0) return errors;
  const last = informativeLines(output).filter((line) =>
    !CONSEQUENCE.test(line) && !PASSED.test(line) && !NOT_ABOUT_FAILURE.test(line)
  ).slice(-2).join(" | ");
  return last === "" ? [] : [last];
}

export function lastLines(output: string, maxLines: number): string[] {
  const lines = countPackages(informativeLines(output));
  const passed = lines.filter((line) => PASSED.test(line) || SUMMARY_LINE.test(line));
  if (passed.length > 0) return passed.slice(-maxLines);
  // The end of a preview is an arbitrary place in the output.
  return output.startsWith("<persisted-output>")
    ? lines.slice(0, maxLines)
    : lines.slice(-maxLines);
}

/** Replaces the lines of many passed packages with their number. */
function countPackages(lines: readonly string[]): readonly string[] {
  const packages = lines.filter((line) => PASSED_PACKAGE.test(line));
  if (packages.length <= MAX_NAMED_PACKAGES) return lines;
  const last = lines.findLastIndex((line) => PASSED_PACKAGE.test(line));
  return lines.flatMap((line, at) =>
    at === last ? `ok: ${packages.length} packages` : PASSED_PACKAGE.test(line) ? [] : line
  );
}

export function firstLines(output: string, maxLines: number): string[] {
  return informativeLines(output).slice(0, maxLines);
}
