/** Describes the results of `gh` commands whose output has no line that reports the outcome. */

import { isObject } from "../../core/record.ts";
import { isApiWrite } from "../../core/shell_commands.ts";
import type { FinishedCall } from "../../core/work_state.ts";
import { asString } from "../../transcript/entry.ts";
import { andMore, counted } from "../../inject/bound.ts";
import { commandOf } from "../../inject/outcome.ts";

const CI_QUERY = /^(?:cd \S+ && )?gh pr checks\b(?![^\n]*(?:;|&&))/;

const MAX_PARTS = 4;

/** Captures the name and the state of a check in the output of `gh pr checks`. */
const CI_CHECK = /^([^\t\n]+)\t(pass|fail|pending|skipping|cancel)\t/gm;

const RUN_QUERY = /^(?:cd \S+ && )?gh run (?:view|watch)\b(?![^\n]*(?:;|&&|--json|--log))/;

/** Captures the name of a failed workflow, job or step in the output of `gh run view`. */
const FAILED_PART = /^\s*X (?!Process completed)(.+?)(?: \(ID \d+\))?$/gm;

/**
 * Describes the output of `gh pr checks`: the failed and the pending checks by name, and how many passed. Its
 * exit code is not 0 if a check failed or is pending. For a workflow run, names the failed jobs and
 * steps. Returns an empty string for any other command.
 */
export function ciChecksIn(command: string, output: string): string {
  if (RUN_QUERY.test(command)) {
    const names = [...output.matchAll(FAILED_PART)].map(([, name = ""]) => name);
    return names.length === 0 ? "" : `failed: ${andMore(names.slice(0, MAX_PARTS), names.length)}`;
  }
  if (!CI_QUERY.test(command)) return "";
  const checks = [...output.matchAll(CI_CHECK)].map(([, name = "", state = ""]) => ({
    name,
    state,
  }));
  const named = (state: RegExp, label: string): string[] => {
    const names = checks.filter((one) => state.test(one.state)).map(({ name }) => name);
    return names.length === 0 ? [] : [`${label}: ${names.join(", ")}`];
  };
  const passed = checks.filter(({ state }) => state === "pass").length;
  return [
    ...named(/fail|cancel/, "failed"),
    ...named(/pending/, "pending"),
    ...(passed === 0 ? [] : [`${counted(passed, "check")} passed`]),
  ].join("; ");
}

/**
 * Returns the URL of the object that a GitHub API request created or changed, and the comment that the object
 * replies to; empty if the result is not such an object.
 */
export function addressIn(result: string): string {
  const parsed = parseObject(result);
  const address = asString(parsed.html_url);
  if (address === undefined) return "";
  const { in_reply_to_id: comment } = parsed;
  return address + (typeof comment === "number" ? ` (reply to ${comment})` : "");
}

/** Matches a command that prints text from GitHub, such as comments, in readable form. */
const READS_TEXT =
  /^(?:cd \S+ && )?gh (?:(?:pr|issue) view\b|api\b(?=[^\n]*(?: --jq | -q | --template |\| *jq )))/;

const READING_TOOL = /^(?:WebFetch$|mcp__\w*?(?:get|list|search|fetch|read|find|query))/i;

/** Whether a call fetched text, such as review comments, that the project does not contain. */
export function isFetched({ name, input, isError }: FinishedCall): boolean {
  if (isError) return false;
  const command = commandOf({ name, input });
  return command === ""
    ? READING_TOOL.test(name)
    : READS_TEXT.test(command) && !isApiWrite(command);
}

function parseObject(text: string): { readonly [key: string]: unknown } {
  if (!text.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(text.replace(/\nShell cwd was reset to .*\s*$/, ""));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
