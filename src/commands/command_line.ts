import { MAX_NAMED_FILES } from "../inject/edits.ts";
import { checkPattern } from "../core/command_names.ts";
import { excerptLine, inBackquotes } from "../inject/excerpt.ts";
import { commandIn, isCheckLine } from "../inject/step_words.ts";
import { fileOf, sortErrors } from "./check_paths.ts";
import { isPush } from "../changes/commits.ts";
import type { KnownRun } from "./known_run.ts";
import { isPlanned } from "./open_plan.ts";

export const MAX_COMMAND_CHARS = 150;
export const MAX_DONE_CHARS = 80;
export const MAX_ERROR_CHARS = 300;

const MAX_WHY_CHARS = 140;
const MAX_ERROR_LINES = 4;

/** Matches a linter or formatter; a run on named files does not check other files. */
export const LINT = checkPattern("lint", "format");

const FORMATTER = checkPattern("format");
const OTHER_CHECK = checkPattern("test", "lint", "compile", "check");

function onlyFormats(command: string): boolean {
  return FORMATTER.test(command) && !OTHER_CHECK.test(command) &&
    !/ (?:--diff|-[ld])\b/.test(command);
}

export function isCheckRun(line: string): boolean {
  return !isPlanned(line) && isCheckLine(line) && !onlyFormats(commandIn(line));
}

/**
 * Describes a command and how it ended. Quotes only the first error of a failure that a later run resolved.
 *
 * @param edited The session's edited files, oldest first.
 */
export function commandLine(
  outcome: KnownRun,
  { edited, isSettled }: { readonly edited: readonly string[]; readonly isSettled: boolean },
): string {
  const { words, count, isFailed, end, earlierFailure } = outcome;
  const editedSince = edited.slice(outcome.edits);
  const command = inBackquotes(words, MAX_COMMAND_CHARS);
  const times = count > 1 ? ` ${count} times` : "";
  if (!isFailed) {
    return `${command}${times} ${end}` +
      (earlierFailure === "" ? "" : `, after ${earlierFailure}`) +
      explanationOf(outcome);
  }
  const errors = sortErrors(outcome.errors, editedSince).slice(0, isSettled ? 1 : MAX_ERROR_LINES);
  const shown = excerptLine(errors.join(" | "), MAX_ERROR_CHARS);
  const files = [...new Set(outcome.errors.map(fileOf))].filter((file) => file !== "");
  const more = files.filter((file) => !shown.includes(file) && !editedSince.includes(file))
    .slice(0, MAX_NAMED_FILES + 1).join(", ");
  return `${command}${times} failed` + (shown === "" ? "" : `: ${shown}`) +
    (more === "" || isSettled ? "" : `; also in ${more}`) +
    explanationOf(outcome);
}

export function explanationOf({ why }: KnownRun): string {
  return why === "" ? "" : `; the assistant said: "${excerptLine(why, MAX_WHY_CHARS)}"`;
}

/** Describes the success that followed a failure; empty if there was none. */
export function successAfter(
  { isFailed, order }: KnownRun,
  check: KnownRun | undefined,
  commitOrPush: KnownRun | undefined,
): string {
  if (!isFailed) return "";
  if (check !== undefined) {
    return `; since then ${inBackquotes(check.words, MAX_DONE_CHARS)} passed`;
  }
  if (commitOrPush === undefined || commitOrPush.order < order) return "";
  return `; a ${isPush(commitOrPush.words) ? "push" : "commit"} followed`;
}

/** Matches the id of a comment; issue numbers are shorter. */
const LONG_ID = /\/\d{6,}(?=\/|$)/g;

const METHOD = /\s(?:-X|--method)[ =]?(\w+)/;
const ENDPOINT = /\s([\w{}.:-]*\/[\w{}/.:?=&-]*|graphql)(?!\S)/;

function endpointOf(words: string): string {
  return (ENDPOINT.exec(words)?.[1] ?? "").replaceAll(LONG_ID, "/…");
}

/** Returns the method and endpoint of a `gh api` write, without comment ids. */
export function targetOf(words: string): string {
  return `gh api ${METHOD.exec(words)?.[1]?.toUpperCase() ?? "POST"} ${endpointOf(words)}`;
}

/** Returns a `gh api` command without the values that differ from call to call. */
export function withoutBody(words: string): string {
  const [method = ""] = METHOD.exec(words) ?? [];
  const [body = ""] = /\s(?:-[fF]|--(?:raw-)?field|--input)[ =]?(?:[\w[\]]+=)?/.exec(words) ?? [];
  return `gh api${method} ${endpointOf(words)}${body && `${body}…`}`;
}
