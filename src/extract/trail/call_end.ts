/** Describes how a call ended, with the most informative lines of its result. */

import { MARK } from "../../inject/code_blocks.ts";
import { GIT_READS } from "../../core/command_names.ts";
import { parseObject } from "../../core/record.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { andMore } from "../../inject/bound.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import {
  hasCheck,
  isApiWrite,
  lastLabelled,
  SEARCH,
  withoutOwnEchoes,
} from "../../core/shell_commands.ts";
import { AGENT_TOOLS } from "../../core/tools.ts";
import { reportOf } from "../../inject/agent_report.ts";
import { HIDDEN_END, OUTCOME } from "../../inject/step_words.ts";
import { findings, linesNaming, MAX_WANTED_CHARS } from "../../inject/look_up_results.ts";
import { commandOf, outcomeOf } from "../../inject/outcome.ts";
import {
  errorLines,
  failureLines,
  firstLines,
  isOutput,
  lastLines,
  reportsSuccess,
} from "../../inject/telling_lines.ts";
import type { FinishedCall } from "../../core/work_state.ts";
import { taskEnd } from "./background_tasks.ts";
import { COMMIT_OUTPUT, isCommit } from "../../changes/commits.ts";

const MAX_ERROR_CHARS = 320;
const MAX_OUTCOME_CHARS = 120;
const MAX_ERROR_LINES = 3;

/** Higher limits for a result that the assistant has not commented on. */
const MAX_UNREAD_LINES = 5;
const MAX_UNREAD_CHARS = 700;

/** Matches an output that starts with an error; a filter may have removed the rest. */
const ERROR_START = /^(?:error|fatal|failed to|traceback|panic)\b/i;

/** Matches a last line that is an error; a filter such as `head` may have hidden the exit code. */
const ERROR_END = /^(?:error:|fatal:|failed to) [^\n]*\s*$(?![^])/im;

/** The first output lines of these commands matter most: they list the newest entry first, or end in `head`. */
const NEWEST_FIRST =
  /\|\s*head\b[^;&|\n]*$|\bgh (?:release|run|pr|issue) list\b[^;&|\n]*$|\bgit(?: -\S+(?: \S+)?)* (?:log|reflog|stash list|show)\b(?!.*--reverse)[^;&|\n]*(?:\|\s*head\b[^;&|\n]*)?$/;

/** Matches a log before other commands; its first line names the newest commit. */
const LOG_FIRST = /^(?:cd \S+ && )?git(?: -C \S+)? log\b(?!.*--reverse)[^;&|\n]*(?:;|&&)/;

const STATUS =
  /^(?:cd \S+ && )?git(?: -C \S+)? (?:status\b|diff\b[^;&|\n]* --name-(?:only|status)\b)[^;&|\n]*$/;
const MAX_STATUS_LINES = 7;
const GIT_HINT = /^ +\(use "git [^\n]*\n/gm;

/** Matches a command whose output is a diff. */
const DIFF =
  /^(?:cd \S+ && )?(?:git(?: -C \S+)? (?:diff|show)|gh pr diff)\b(?!.* --(?:stat|numstat|shortstat|name-|check|quiet|exit-code))[^;&|\n]*(?:\| *(?:head|tail)\b[^;&|\n]*)?$/;
const DIFF_FILE = /^\+\+\+ b\/(.+)$/gm;
const MAX_DIFF_FILES = 6;

/** Commands that are run for their output, so an empty output is also a result. */
const QUERY_COMMAND = new RegExp(
  String
    .raw`(?:^|[|;&\n]\s*)(?:e?grep|rg|find|ls|jq|awk|gh (?:api|pr|issue|run)|git(?: -C \S+)? (?:${GIT_READS}|stash list))\b`,
);

/** Puts git's line about the newest commit first; later lines may come from another command. */
function withCommit(command: string, output: string, lines: readonly string[]): readonly string[] {
  const made = isCommit(command) ? output.match(COMMIT_OUTPUT)?.at(-1) : undefined;
  return made === undefined ? lines : [made, ...lines.filter((line) => line !== made)].slice(0, 2);
}

function labelledLines(command: string, result: string): readonly string[] {
  const last = lastLabelled(command, result);
  const label = last.label.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const [first = "", ...rest] = lastLines(withoutOwnEchoes(command, last.output, true), 2);
  if (first !== "") return [label === "" ? first : `${label}: ${first}`, ...rest];
  const others = lastLines(withoutOwnEchoes(command, result, true), 2);
  return others.length > 0 ? others : lastLines(result, 1);
}

/**
 * Matches a command line that ends by showing or listing files, which can be read again, or that changes a
 * repository, where a few lines of output report the change.
 */
const BRIEF_COMMAND = new RegExp(
  /(?:^|&&|;|\n)\s*(?:cat|sed|head|tail|ls|find|wc|pwd)\b[^;&|\n]*$/.source +
    String.raw`|\bgit (?:-C \S+ )?(?!(?:${GIT_READS}|stash list)\b)`,
);

/**
 * Chooses the named lines, and others from the start or the end. Marks the gaps between them, and cuts the
 * lines to equal lengths, because each can be a separate finding.
 */
function unreadLines(command: string, result: string, named: readonly string[]): readonly string[] {
  const all = firstLines(withoutOwnEchoes(command, result, true), Infinity);
  const others = [...all.keys()].filter((at) => !named.includes(all[at] ?? ""));
  const max = Math.max(1, MAX_UNREAD_LINES - named.length);
  const [first, last] = NEWEST_FIRST.test(command)
    ? [max, 0]
    : QUERY_COMMAND.test(command)
    ? [max - 1, 1]
    : [0, max];
  const chosen = [
    ...named.map((line) => all.indexOf(line)).filter((at) => at >= 0),
    ...others.filter((_, n) => n < first || n >= others.length - last),
  ].sort((a, b) => a - b);
  const share = Math.floor(MAX_UNREAD_CHARS / chosen.length) - ` | ${MARK} | `.length;
  return chosen.flatMap((at, n) => {
    const line = excerptLine(all[at] ?? "", share);
    return n > 0 && at > (chosen[n - 1] ?? 0) + 1 ? [MARK, line] : [line];
  });
}

/**
 * Describes how a call ended, after an arrow; empty if no line is informative.
 *
 * @param wanted Names that the newest request and its searches contain.
 * @param isUnread Whether the assistant said nothing after the call, so that no message describes its result.
 */
export function endOf(
  call: FinishedCall,
  wanted: ReadonlySet<string>,
  isUnread: boolean,
): string {
  const command = commandOf(call);
  const outcome = outcomeOf(command, call);
  if (outcome.unrun !== undefined) return `${OUTCOME}${outcome.unrun}`;
  if (call.name === "TaskOutput") return `${OUTCOME}${taskReport(call.result)}`;
  if (AGENT_TOOLS.has(call.name)) {
    return `${OUTCOME}${reportOf(call.result)}`;
  }
  if (call.name !== "Bash" && !call.isError) {
    return findings(call, wanted, isUnread ? MAX_UNREAD_CHARS : undefined);
  }
  const { isFailed } = outcome;
  const address = isApiWrite(command) && !isFailed ? redactSecrets(addressIn(call.result)) : "";
  if (address !== "") return OUTCOME + excerptLine(address, MAX_ERROR_CHARS);
  const isChecked = hasCheck(command);
  // A passing test may print lines that look like errors.
  const mayShowErrors = isFailed || (isChecked && !reportsSuccess(call.result)) ||
    ERROR_START.test(call.result) || ERROR_END.test(call.result);
  // Redacts the whole output first, because a single line of a key would not be recognized.
  const result = redactSecrets(call.result);
  const linesIn = isFailed ? failureLines : errorLines;
  const maxErrors = isUnread ? MAX_UNREAD_LINES : MAX_ERROR_LINES;
  const errors = mayShowErrors ? linesIn(result, maxErrors) : [];
  const isStatus = STATUS.test(command);
  const files = DIFF.test(command)
    ? [...result.matchAll(DIFF_FILE)].map(([, file = ""]) => file)
    : [];
  const named = isFailed ? [] : linesNaming(result, wanted);
  const isLong = isUnread && !isChecked && !BRIEF_COMMAND.test(command);
  const lines = errors.length > 0 || isFailed
    ? errors
    : files.length > 0
    ? [`changes in ${andMore(files.slice(-MAX_DIFF_FILES), files.length)}`]
    : isStatus
    ? firstLines(result.replaceAll(GIT_HINT, ""), MAX_STATUS_LINES)
    : isLong
    ? unreadLines(command, result, named)
    : NEWEST_FIRST.test(command) && !isChecked
    ? firstLines(result, 2)
    : LOG_FIRST.test(command) && !isChecked
    ? [...new Set([...firstLines(result, 1), ...labelledLines(command, result).slice(-1)])]
    : withCommit(command, result, labelledLines(command, result));
  const found = isLong ? [] : named.filter((line) => !lines.includes(line));
  const maxChars = isUnread
    ? MAX_UNREAD_CHARS
    : errors.length > 0 || isStatus
    ? MAX_ERROR_CHARS
    : MAX_OUTCOME_CHARS;
  const words = excerptLine(
    [...found, ...lines].join(" | "),
    found.length === 0 ? maxChars : Math.max(maxChars, MAX_WANTED_CHARS),
  );
  if (outcome.isUnseen) {
    return `${OUTCOME}${HIDDEN_END}: ${words === "" ? "nothing matched the filter" : words}`;
  }
  if (outcome.ranNoTest) return `${OUTCOME}ran no test`;
  // A search fails without output if it finds nothing.
  if (words === "" && (!isFailed || SEARCH.test(command))) {
    const isEmptyResult = QUERY_COMMAND.test(command) && (isFailed || !isOutput(call.result));
    return OUTCOME + (isEmptyResult ? "no output" : "ok");
  }
  return `${OUTCOME}${isFailed ? "failed: " : ""}${words}`.replace(/:\s*$/, "");
}

/** Returns the report of a background task without the calls that it made. */
function taskReport(result: string): string {
  const [, output = result] = /<output>([^]*)<\/output>/.exec(result) ?? [];
  const report = output.replaceAll(/^(?:\[Tool: |<status>)[^\n]*\n?/gm, "");
  const end = taskEnd(result);
  return (end === "completed" ? "" : `${end}: `) + reportOf(report);
}

/**
 * Returns the URL of the object that a GitHub API request created or changed, and the comment that the object
 * replies to; empty if the result is not such an object.
 */
function addressIn(result: string): string {
  const record = parseObject(result.replace(/\nShell cwd was reset to .*\s*$/, "")) ?? {};
  const { html_url: address, in_reply_to_id: comment } = record;
  if (typeof address !== "string") return "";
  return address + (typeof comment === "number" ? ` (reply to ${comment})` : "");
}
