/** Renders words that the last action or the edits add to the line about the next step. */

import { isFullCheck } from "../commands/check_paths.ts";
import { counted } from "../inject/bound.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { EDIT, isLookUp } from "../inject/joined_steps.ts";
import {
  ASSISTANT,
  commandIn,
  EDITED_SINCE,
  EXPECTED_FAILURE,
  FAILED_COMMAND,
  hasNoResult,
  isCheckLine,
  isFailedCheck,
  PASSED_COMMAND,
  uncheckedIn,
} from "../inject/step_words.ts";
import { OUTDATED_EDIT } from "../inject/telling_lines.ts";
import type { Decision, Said } from "../core/work_state.ts";

/** Matches the launch of an agent, or a call that waits for one. */
const AGENT_ACTION = /^(?:TaskOutput\b.* → no result|(?:Task|Agent) .* → started)/;

/** Matches a command that the client moved to the background, or that was started there. */
const BACKGROUND_ACTION = /^Bash .* → Command running in background\b/;

/** Matches a failed git command that changes the repository, whose error needs a decision. */
const FAILED_GIT =
  /^Bash [^→]*\bgit (?:add|commit|push|merge|rebase|cherry-pick|pull|tag)\b[^→]* → failed/;

const FAILED_EDIT = new RegExp(
  `^(?:Edit|Write|MultiEdit|NotebookEdit) [^→]* → failed: (?:${OUTDATED_EDIT.source})`,
);

/**
 * Returns what the last action requires before the next step, such as "fix what failed, then "; may be empty.
 *
 * @param running The tasks in the background.
 */
export function beforeNext(action: string, running: readonly string[]): string {
  if (running.length > 0 && AGENT_ACTION.test(action)) {
    return `collect the reports of the ${counted(running.length, "task")} in the background, then `;
  }
  if (running.length > 0 && BACKGROUND_ACTION.test(action)) {
    return "see how the command in the background ended, then ";
  }
  if (isFailedCheck(action) || FAILED_GIT.test(action)) return "fix what failed, then ";
  if (FAILED_EDIT.test(action)) return "redo the edit that failed, then ";
  return hasNoResult(action) && !isLookUp(action) ? "see how the last action ended, then " : "";
}

const MAX_FIX_CHARS = 240;

/** After more edits than this, a fix counts as made. */
const MAX_EDITS_OF_FIX = 3;

/** Asks to complete the fix that the last message states if only a few edits followed, without a check. */
export function fixFirst(stopped: readonly Said[], decisions: readonly Decision[]): string {
  const at = stopped.findLastIndex(({ text }) => text.startsWith(ASSISTANT));
  const since = stopped.slice(at + 1).map(({ text }) => text).filter((text) => !isLookUp(text));
  const fix = decisions.find(({ kind, from: { line } }) =>
    kind === "assistant" && line !== null && line === stopped[at]?.from.line
  );
  const isBegun = since.length > 0 && since.length <= MAX_EDITS_OF_FIX &&
    since.every((text) => EDIT.test(text));
  return fix === undefined || !isBegun
    ? ""
    : `check that this fix is complete (${counted(since.length, "edit")} so far): ${
      excerptLine(fix.decision.replace(/\.$/, ""), MAX_FIX_CHARS)
    }; then `;
}

const MAX_CHECKS = 3;

const TEST = /\btest/;
const COMPILER = /^(?:go (?:build|vet)|cargo (?:build|check))\b/;

/** Matches the line of an unshortened command that did not run in a subagent. */
const OWN_COMMAND = /^`[^`…]*`(?!.*; run by a subagent)/;

/** Matches a file whose changes the checks of many projects do not cover. */
const TEXT_FILE = /\.(?:md|mdx|txt|rst|adoc|csv|svg|html?|json|ya?ml)$/i;

/**
 * Lists the checks that ran before the newest edits, but not after them: passed checks of the whole project,
 * and checks that failed for a known reason. If no check followed the edits of these files, reports that.
 */
export function checksAfterEdits(
  commands: readonly Said[],
  action: string,
  files: readonly string[],
): string {
  if (hasNoResult(action) || files.length === 0) return "";
  const checked = commands.filter(({ text }) => isCheckLine(text));
  const since = checked.filter(({ text }) => !EDITED_SINCE.test(text));
  // Tests that passed since then have also built the code.
  const hasTested = since.some(({ text }) =>
    PASSED_COMMAND.test(text) && TEST.test(commandIn(text))
  );
  const before = checked.filter((one) => !since.includes(one) && OWN_COMMAND.test(one.text));
  const checks = before.flatMap(({ text }) => {
    const command = commandIn(text);
    const isOpen = PASSED_COMMAND.test(text)
      ? isFullCheck(command) && !(hasTested && COMPILER.test(command))
      : FAILED_COMMAND.test(text) && EXPECTED_FAILURE.test(text);
    return isOpen ? `\`${command}\`` : [];
  }).slice(0, MAX_CHECKS);
  if (checks.length > 0) return `; not run since the last edit: ${checks.join(", ")}`;
  const isUnchecked = since.length === 0 && uncheckedIn(commands, action) === "" &&
    files.some((file) => !TEXT_FILE.test(file));
  return isUnchecked ? "; no check was seen since the edits" : "";
}
