/** Splits shell lines into commands, and determines which commands failed. */

import { lastPart } from "./last_part.ts";
import {
  canFailLine,
  type ChainPart,
  type Evidence,
  evidenceOf,
  isExitKnown,
  type LabelledPart,
  printedExit,
  QUOTED,
  splitAtLabels,
  withoutEchoes,
} from "./chain_ends.ts";
import { CHECK, GIT_READS, isInspection } from "./command_names.ts";
import { plainLine } from "./error_lines.ts";

/** In UTF-16 code units. `readableCommand()` ignores the rest of a longer line. */
const MAX_READABLE_CHARS = 4_096;

/** In UTF-16 code units. `allPartsOf()` ignores the rest of a longer line. */
const MAX_LINE_CHARS = 64 * 1024;

/** Programs that only inspect, or whose outcome does not reflect the state of the work, such as `mkdir`. */
const INSPECTORS =
  "rg grep egrep fgrep diff cmp ls cat find which type command test [ pgrep lsof stat head tail file ps sleep rm mkdir cd echo wc pwd md5 md5sum shasum sha256sum xxd hexdump od"
    .split(" ");

/** Programs whose failure can be an answer, such as `grep` without a match. */
const PROBES = new Set([...INSPECTORS, "curl", "jq", "kill", "pkill", "wget"]);

/** Matches a search, whose pattern may name something that does not exist. */
export const SEARCH = /\b(?:[ef]?grep|rg|ag|ack)\b/;

/** Matches a report of a failed check. The exit code may still be 0, for example in a pipeline. */
const FAILURE_REPORT =
  /^(?:--- FAIL|FAIL\b|FAILED\b|E\s{3}\S|error(?:\[\w+\])?:|✗ |[1-9]\d* issues:|(?:vet: )?\S+\.\w{1,5}:\d+:\d+: (?!warning|note|info))|\berror TS\d+:|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\bERROR task failed\b|\bneeds? to be formatted\b|\bwould reformat\b|^Found [1-9]\d* errors?\b(?!.*\b0 remaining)|^✖ \d+ problems? \([1-9]\d* errors?\b|^not ok \d+(?!.*# (?:TODO|SKIP)\b)|^[#ℹ] fail [1-9]|^\S*python[\d.]*: No module named \w+$/m;

/** Whether a command tries something out: an inline script, such as `node -e`, or a `gh api` query. */
export function isExperiment(command: string): boolean {
  return /^(?:python[\d.]*|node|ruby|perl|php|bun|deno|go)\s(?:(?:run|-\S+|'[^']*')\s)*?(?:-c|-e|-p|eval|-|\/dev\/stdin)(?:\s|$)/
    .test(command) || (/^gh api\b/.test(command) && !isApiWrite(command));
}

/** Matches a request that `gh` sends with a method other than GET, or with a mutation. */
const API_WRITE =
  /^gh api\b(?!.*\s(?:-X|--method)[ =]?GET\b)(?:(?=.*\s(?:-X|--method)[ =]?(?:POST|PUT|PATCH|DELETE)\b)|(?! graphql\b(?!.*\bmutation\b))(?=.*\s(?:-[fF]|--(?:raw-)?field|--input)[ =]))/s;

export function isApiWrite(command: string): boolean {
  return API_WRITE.test(command);
}

/** Matches a failure report of a package manager. It may concern an installation instead of a check. */
const PACKAGE_REPORT =
  /^npm (?:ERR!|error) |^[^\S\r\n\u2028\u2029]*(?:ELIFECYCLE|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL)\b|^error Command failed with exit code [1-9]/m;
const PACKAGE_MANAGER = /^\s*(?:npm|npx|pnpm|yarn)\b/;

/** Whether the output shows that a check failed, although the line may have exited with 0. */
export function reportsFailure(line: string, output: string): boolean {
  return labelledParts(line, output).some((group) => isReportedIn(group.parts, group.output));
}

export function lastLabelled(line: string, output: string): { label: string; output: string } {
  return labelledParts(line, output).at(-1) ?? { label: "", output };
}

/** Splits a line and its output at the labels that the line prints, unless `set` may end it at an error. */
function labelledParts(line: string, output: string): LabelledPart<Part>[] {
  const parts = partsOf(line);
  return parts.some(({ text }) => /^\s*set\s/.test(text))
    ? [{ label: "", parts, output }]
    : splitAtLabels(parts, output);
}

function isReportedIn(parts: readonly Part[], output: string): boolean {
  if (parts.some((_part, index) => isFailedExit(parts, index, output))) return true;
  if (!parts.some((_part, index) => isUncertain(parts, index, output))) return false;
  return hasFailureReport(parts, output);
}

function hasFailureReport(parts: readonly Part[], output: string): boolean {
  const text = withoutEchoes(parts, plainLine(output), { keepsFallback: true });
  return FAILURE_REPORT.test(text) || (PACKAGE_REPORT.test(text) &&
    parts.every((part) => !PACKAGE_MANAGER.test(part.text) || isCheckPart(part)));
}

/** Removes the output of the line's own `echo` commands; see {@linkcode withoutEchoes}. */
export function withoutOwnEchoes(line: string, output: string, keepsFallback = false): string {
  return withoutEchoes(partsOf(line), output, { keepsFallback });
}

function isCheckPart(part: Part): boolean {
  return simpleCommand(part)?.isCheck === true;
}

function isFailedExit(parts: readonly Part[], index: number, output: string): boolean {
  const part = parts[index];
  return part !== undefined && isCheckPart(part) && (printedExit(parts, index, output) ?? 0) > 0;
}

/** Whether a check may have failed in a line that exited with 0. */
function isUncertain(parts: readonly Part[], index: number, output: string): boolean {
  const part = parts[index];
  return part !== undefined && isCheckPart(part) &&
    (part.filters !== "" || !isExitKnown(parts, index, { output, failedIndex: -1 }));
}

/** Matches the error of a check that ran in the wrong folder. */
const WRONG_FOLDER =
  /^(?:stat \S+: directory not found|go: (?:cannot find main module|go\.mod file not found)\b.*|(?:package \S+: )?no Go files in .*|ERROR: file or directory not found: .*|error: could not find `Cargo\.toml` in .*|npm (?:ERR!|error) Could not read package\.json: .*)/m;

/** Whether the output reports wrong syntax, arguments or folders, not a problem in the tested code. */
export function isUsageError(output: string): boolean {
  return WRONG_FOLDER.test(output) ||
    /^\(eval\):\d+: (?!command not found)|^(?:\/bin\/)?(?:ba|z)?sh: (?:-c: )?line \d+: syntax error|^(?:[^\s:]*: ?)*cd:(?:\d+:)? .*(?:[Nn]o such file or directory|[Nn]ot a directory)|^(?:grep|rg|sed|awk|head|tail|cut|sort|jq|xargs): .*\b(?:option|invalid|illegal|usage|parse error|missing)\b/m
      .test(output);
}

/** Matches a here-document in a command substitution, such as `$(cat <<'EOF' ... EOF)`. */
const SUBSTITUTED_DOCUMENT =
  /\$\(\s*cat\s*<<-?[ \t]*['"]?(\w+)['"]?[ \t]*(?=\n)([^]*?)(?:\n[ \t]*\1\s*\)|$)/g;

const CONTINUATION = /(?<!\s)\s*\\\n\s*/g;

/** Returns the start of a line, with each substituted here-document shortened to its first line. */
export function readableCommand(line: string): string {
  return line.slice(0, MAX_READABLE_CHARS).replaceAll(
    SUBSTITUTED_DOCUMENT,
    (_all, _end, body: string) => firstLine(body).replaceAll(/["'`$]/g, ""),
  ).replaceAll(CONTINUATION, " ");
}

function firstLine(text: string): string {
  const [first = "", ...others] = text.trim().split("\n");
  return others.length === 0 ? first : `${first.trimEnd()} …`;
}

/** Matches a here-document, but not a shift, as in `$((1 << n))`. */
const HERE_DOCUMENT =
  /(?<!<|\(\([^()\n]{0,200})<<-?[ \t]*['"]?(\w+)['"]?([^\n]*)([^]*?)(?:\n[ \t]*\1\b|$)/g;

function withoutHereDocuments(command: string): string {
  return command.replaceAll(
    HERE_DOCUMENT,
    (all, _end, rest: string, body: string) => body === "" ? all : rest,
  );
}

/** Replaces here-documents with their text, in quotes where needed, and joins continued lines. */
function withQuotedDocuments(line: string): string {
  const escape = (body: string): string => body.trim().replaceAll(/[\\"`$<]/g, "\\$&");
  return line
    .replaceAll(SUBSTITUTED_DOCUMENT, (_all, _end, body: string) => escape(body))
    .replaceAll(
      HERE_DOCUMENT,
      (all, _end, rest: string, body: string) => body === "" ? all : `"${escape(body)}"${rest}`,
    )
    .replaceAll(CONTINUATION, " ");
}

const SEPARATOR = /&&|\|\||;|\n|\|/g;

/** Matches an escaped character, a comment or quoted text, whichever starts first. */
const HIDDEN = new RegExp(String.raw`\\[^]|(?<![^\s;&|(])#[^\n]*|${QUOTED.source}`, "g");

const SUBSTITUTED = /\$\([^()]*\)/g;

/** Programs and shell keywords whose outcome does not reflect the state of the work. */
const INCIDENTAL = new Set([
  ...INSPECTORS,
  ..."sed awk cp mv touch true export chmod sort for do done if then fi else while set source printf read exit return"
    .split(" "),
]);

const GIT_INCIDENTAL = new Set(["add", "branch", "--version", ...GIT_READS.split("|")]);

/** Programs whose commands are identified by three words instead of two, such as `npm run build`. */
const PROGRAMS_WITH_TASKS = new Set(
  "npm pnpm yarn mise make gh npx bun cargo deno go uv docker".split(" "),
);

const MAX_SIMPLE_COMMANDS = 12;

export interface SimpleCommand {
  /** The first two or three words that are not options, such as `npm run build`. */
  readonly head: string;
  readonly words: string;
  /** Whether the command checks the work. Quoted arguments do not count. */
  readonly isCheck: boolean;
  /** The folder that the line changed to before the command; empty for the session's folder. */
  readonly folder: string;
}

/** Whether a folder's name shows that it is outside the session's folder: `/tmp`, `~/a`, `../b`, `$DIR`. */
export function isElsewhere(folder: string): boolean {
  return /^(?:\/|~|\.\.|\$)/.test(folder);
}

export function simpleCommands(line: string): SimpleCommand[] {
  return partsOf(line).flatMap((part) => simpleCommand(part) ?? []);
}

/** Whether a line runs trimtab for a skill, or runs only trimtab and incidental commands. */
export function isOwnCommand(line: string): boolean {
  if (!/\btrimtab\b/.test(line)) return false;
  if (/\btrimtab["']?\s[^\n]*--skill\b/.test(line)) return true;
  const commands = simpleCommands(line);
  return commands.length > 0 && commands.every(({ words }) => /^trimtab\b/.test(words));
}

export function hasCheck(line: string): boolean {
  return simpleCommands(line).some((command) => command.isCheck);
}

export interface CommandRun extends SimpleCommand {
  readonly isFailed: boolean;
  readonly isOutcomeUnknown: boolean;
  readonly evidence: Evidence;
  /** The output of the line, or only the output below the label that an `echo` before the command prints. */
  readonly output: string;
}

interface LineEnd {
  readonly output: string;
  /** Whether the line's exit code, or its output, reports a failure. */
  readonly isFailed: boolean;
  /** Whether the line's exit code reports a failure. */
  readonly isError: boolean;
}

const TEMPORARY = String
  .raw`["']?(?:/private)?(?:/tmp|/var/(?:folders|tmp)|\$TMPDIR|\$\(mktemp)(?![\w-])`;
const TEMPORARY_PATH = new RegExp(`^${TEMPORARY}`);

export function isTemporaryPath(path: string): boolean {
  return TEMPORARY_PATH.test(path);
}

export function runsInBackground(output: string): boolean {
  return /^Command (?:running in background|was manually backgrounded|did not complete within its \S+ timeout and was moved to the background)\b/
    .test(output);
}

/** Omits commands that did not run, and all commands of a line that runs in the background. */
export function commandRuns(line: string, end: LineEnd): CommandRun[] {
  if (runsInBackground(end.output)) return [];
  // A failed line is not divided at its labels, because it is unknown which part caused the exit code.
  const groups = (end.isError ? [] : labelledParts(line, end.output)).map((group) => ({
    ...group,
    isFailed: isReportedIn(group.parts, group.output),
  }));
  const isExplained = !end.isFailed || groups.some(({ isFailed }) => isFailed);
  if (groups.length < 2 || !isExplained) return runsOf(partsOf(line), end);
  return groups.flatMap(({ parts, ...own }) => runsOf(parts, { ...own, isError: false }));
}

function runsOf(parts: readonly Part[], end: LineEnd): CommandRun[] {
  const { output } = end;
  const { index: failedIndex, isGuess } = end.isFailed
    ? findFailedPart(parts, end)
    : { index: -1, isGuess: false };
  let isRun = true;
  return parts.flatMap((part, index) => {
    const command = isRun ? simpleCommand(part) : null;
    if (index === failedIndex) isRun = part.separator !== "&&";
    else if (part.separator !== "&&") isRun = true;
    // If the failed command is only a guess, an earlier command may have failed instead. `||` hides an
    // outcome. If the failed command cannot set the line's exit code, one that can may have failed.
    const mayHaveFailed = end.isError && failedIndex >= 0 && !canFailLine(parts, failedIndex) &&
      canFailLine(parts, index);
    const isOutcomeUnknown = index !== failedIndex &&
      ((isGuess && index < failedIndex) || part.separator === "||" || mayHaveFailed);
    if (command === null) return [];
    const isFailed = index === failedIndex;
    const evidence = isFailed ? "exit code" : evidenceOf(parts, index, { output, failedIndex });
    return [{
      ...command,
      isFailed,
      isOutcomeUnknown: isOutcomeUnknown && !command.isCheck,
      evidence,
      output,
    }];
  });
}

const COMMANDS_BY_ERROR: readonly (readonly [error: RegExp, command: RegExp])[] = [
  [
    /\bis already (?:used by worktree|checked out) at\b|^error: pathspec |overwritten by checkout/m,
    /\bgit\b.*\b(?:checkout|switch|worktree)\b/,
  ],
  [/failed to push some refs|^fatal: The current branch \S+ has no upstream/m, /\bgit\b.*\bpush\b/],
  [/^(?:nothing (?:added )?|no changes added )to commit\b|^husky - /m, /\bgit\b.*\bcommit\b/],
  [/overwritten by merge|divergent branches/, /\bgit\b.*\b(?:pull|merge|rebase)\b/],
  // If a line below begins with FAIL, the output comes from a failed test run.
  [/^# \S+\n\S+\.go:\d+(?![^]*^FAIL\b)/m, /\bgo (?:build|install|vet)\b/],
];

/** Finds the failed command. `isGuess` is true if neither the output nor a check identifies it. */
function findFailedPart(
  parts: readonly Part[],
  { output, isError }: LineEnd,
): { readonly index: number; readonly isGuess: boolean } {
  const printed = parts.findIndex((_part, index) => isFailedExit(parts, index, output));
  if (printed >= 0) return { index: printed, isGuess: false };
  for (const [error, command] of COMMANDS_BY_ERROR) {
    const index = error.test(output) ? parts.findIndex(({ text }) => command.test(text)) : -1;
    if (index >= 0) return { index, isGuess: false };
  }
  const named = parts.findLastIndex(({ text }) => {
    const [program = ""] = text.trim().split(/\s/, 1);
    if (!/^[\w./-]+$/.test(program)) return false;
    const name = RegExp.escape(lastPart(program));
    return new RegExp(`^(?:[\\w./-]+: (?:line \\d+: )?)?${name}: `, "m").test(output);
  });
  if (named >= 0) return { index: named, isGuess: false };
  const simple = parts.map(simpleCommand);
  const all = simple.flatMap((command, index) => command?.isCheck === true ? [index] : []);
  const likely = all.filter((index) =>
    isError ? canFailLine(parts, index) : isUncertain(parts, index, output)
  );
  const isReported = !isError || hasFailureReport(parts, output);
  const checks = likely.length > 0 || !isReported ? likely : all;
  const mentioned = checks.findLast((index) => {
    const [name = ""] = simple[index]?.head.split(" ").at(-1)?.split(":") ?? [];
    return /^[a-z]{3,}$/i.test(name) && new RegExp(`[[\`"']${name}\\b`).test(output);
  });
  const known = mentioned ?? checks.at(-1);
  if (known !== undefined) return { index: known, isGuess: false };
  // A probe at the end, after `&&`, runs only if the command before it passed, and may fail silently. It
  // counts as the failed command, unless the output mentions an error.
  const [program = ""] = parts.at(-1)?.text.trim().split(/\s/, 1) ?? [];
  const isProbe = PROBES.has(program) && parts.at(-2)?.separator === "&&" &&
    !ERROR_MENTION.test(output);
  const last = isProbe
    ? -1
    : simple.findLastIndex((command, index) =>
      command !== null && (!isError || canFailLine(parts, index))
    );
  return { index: last < 0 ? parts.length - 1 : last, isGuess: true };
}

const ERROR_MENTION = /\b(?:error|fatal|fail\w*|cannot|could not|not found|denied|exception)\b/i;

interface Part extends ChainPart {
  readonly folder: string;
}

const FOLDER_CHANGE =
  /^[\s({]*cd\s+(?:(["'])([^"'\n]+)\1|(\$\(mktemp[^()]*\)|[^"'\s]+))(?:\s+\d?>\S+)*\s*(?:\)\s*)?$/;

/** Replaces quoted text, escapes, substitutions and comments with as many underscores. */
export function hideQuoted(text: string): string {
  const hide = (words: string): string => "_".repeat(words.length);
  return text.replaceAll(HIDDEN, hide).replaceAll(SUBSTITUTED, hide);
}

/** Splits a line into at most 12 commands, each with the filters that its output is piped to. */
export function partsOf(line: string): Part[] {
  return splitLine(withoutHereDocuments(readableCommand(line))).slice(0, MAX_SIMPLE_COMMANDS);
}

/** Splits a line, up to 65,536 characters, into all commands, with the text of here-documents in quotes. */
export function allPartsOf(line: string): Part[] {
  return splitLine(withQuotedDocuments(line.slice(0, MAX_LINE_CHARS)));
}

function splitLine(text: string): Part[] {
  const bare = hideQuoted(text);
  const parts: Part[] = [];
  let start = 0;
  let isPiped = false;
  let folder = "";
  let outer: string | undefined;
  for (
    const { 0: separator, index } of [...bare.matchAll(SEPARATOR), { 0: "", index: text.length }]
  ) {
    const part = text.slice(start, index);
    const piped = isPiped ? parts.pop() : undefined;
    if (/^\s*\(/.test(part)) outer = folder;
    if (piped !== undefined) {
      parts.push({ ...piped, separator, filters: `${piped.filters}|${part}` });
    } else if (!isPiped && !/^\s*(?:#|$)/.test(part)) {
      parts.push({ text: part, separator, filters: "", folder });
    }
    const [, , quoted, plain] = FOLDER_CHANGE.exec(part) ?? [];
    const entered = quoted ?? plain;
    if (entered !== undefined) folder = folderIn(folder, entered);
    if (outer !== undefined && bare.slice(start, index).trimEnd().endsWith(")")) {
      folder = outer;
      outer = undefined;
    }
    isPiped = separator === "|";
    start = index + separator.length;
  }
  const last = parts.at(-1);
  // The line exits with the code of its last command, even if `;` or a line break follows it.
  if (last !== undefined && /^[;\n]$/.test(last.separator)) {
    parts[parts.length - 1] = { ...last, separator: "" };
  }
  return parts;
}

export function folderIn(folder: string, entered: string): string {
  if (entered === "-") return "";
  if (entered === ".") return folder;
  return folder === "" || /^[/~$]/.test(entered) ? entered : `${folder}/${entered}`;
}

function simpleCommand({ text, folder }: Part): SimpleCommand | null {
  const words = text.replaceAll(/[\d&]?>{1,2}&?\s*\S+/g, "").replaceAll(/\s+/g, " ").trim()
    .replace(/^(?:[A-Z_][A-Z0-9_]*=(?:\$\([^()]*\)|"[^"]*"|'[^']*'|(?!\$\()\S)+ )+/, "")
    .replace(/^\$\([^()]*\)\/(?:[\w.-]+\/)*/, "");
  const [program = "", second = ""] = words.split(" ", 2);
  if (!/^[\w./][\w./-]*$/.test(program) || INCIDENTAL.has(program)) return null;
  if (program === "git" && (GIT_INCIDENTAL.has(second) || second === "-C")) return null;
  const head = words.split(" ").filter((word) => !word.startsWith("-"))
    .slice(0, PROGRAMS_WITH_TASKS.has(program) ? 3 : 2).join(" ").replaceAll(/["']/g, "");
  const bare = words.replaceAll(QUOTED, "");
  const isCheck = program !== "git" && CHECK.test(bare) && !isInspection(bare);
  return { head, words, isCheck, folder };
}
