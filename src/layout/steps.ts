/** Renders the parts about past work: the last steps, and commands with their outcomes. */

import { GIT_READS, isInspection } from "../core/command_names.ts";
import { counted } from "../inject/bound.ts";
import { cutEnds } from "../inject/ends.ts";
import { sentencesOf } from "../inject/prose.ts";
import { excerptLine } from "../inject/excerpt.ts";
import {
  AFTERMATH,
  ASSISTANT,
  COMMAND,
  commandIn,
  commandsIn,
  FAILED,
  FAILED_COMMAND,
  HIDDEN_END,
  INTERRUPTED,
  isAnnouncement,
  isWithoutResult,
  OUTCOME,
  PASSED_COMMAND,
  RESOLVED_FAILURE,
  shortenOutcome,
  USER,
} from "../inject/step_words.ts";
import {
  cutStep,
  EDIT,
  isOnlyAnnouncement,
  joinedSteps,
  stepJoinedTo,
} from "../inject/joined_steps.ts";
import { isPlanned } from "../commands/open_plan.ts";
import { CLAIMS_PASS } from "../extract/learning_patterns.ts";
import { CORRECTED, correctedIn } from "../decisions/corrections.ts";
import { lastAnnouncedStep } from "../extract/trail/last_turn.ts";
import { isCommit } from "../changes/commits.ts";
import { TREE_COMMANDS } from "../changes/tree_moves.ts";
import { gitCommands } from "../core/git_commands.ts";
import { hasCheck, isApiWrite, runsInBackground, simpleCommands } from "../core/shell_commands.ts";
import type { Said } from "../core/work_state.ts";
import { MIN_REQUESTS_SINCE, withPlace } from "./lines.ts";
import { REQUEST, requestsSince, splitByRequest } from "./requests.ts";
import { cutEnd, headOf, sizeOfLines } from "../inject/fit_lines.ts";
import type { Fit, PartOptions, Work } from "./part.ts";

const MAX_TRAIL_CHARS = 1_200;

const MAX_CALL_CHARS = 100;

/** A command counts as shown if the text above contains this many of its first characters. */
const COMMAND_KEY_CHARS = 40;

const MAX_SAID_CHARS = 1_100;
const MAX_STEP_CHARS = 520;

/** A message counts as shown if the text above contains this many of its first characters. */
const SAID_KEY_CHARS = 120;
const ANSWER_KEY_CHARS = 70;
const MIN_KEY_CHARS = 40;

/** Matches commands that inspect, fetch, clean, configure, reset, restore or switch, and temporary scripts. */
const LOOK_UP_COMMAND = new RegExp(
  String
    .raw`\bgit (?:${GIT_READS}|reset|restore|checkout|switch|symbolic-ref|config|remote|branch|fetch|(?:stash|worktree) list)\b|\bgh (?:api|search|(?:pr|issue|run|repo|release) (?:list|view|diff|checks|status|checkout))\b|\bgo clean\b|^(?:go run|node|python3?|(?:ba)?sh|deno run(?: -\S+)*) (?:/private)?/tmp/`,
);

export function stoppedPart(
  work: Work,
  { shown, isBrief, isRecord, hasNow, hasCommands }: PartOptions,
): Fit {
  const stopped = work.trail?.stopped ?? [];
  const steps = isRecord ? stopped.map((said) => trailLine(said, true)) : joinedSteps(relevantSteps(
    stopped.map(({ text }) => text),
    hasCommands ? work.trail?.commands ?? [] : [],
    hasNow,
  ));
  const all = steps.map((text) => {
    const isShort = isBrief && !text.startsWith(USER) && !text.startsWith(ASSISTANT) &&
      !FAILED.test(text);
    return shown.item(cutStep(shown.line(text), isShort ? MAX_CALL_CHARS : Infinity));
  });
  return (room, above) => {
    // A message counts as shown if its start is in the text above. A record repeats all messages.
    const [said, asked] = [`- ${ASSISTANT}`, `- ${USER}`];
    const isAbove = (line: string, speaker: string): boolean =>
      !isRecord && line.startsWith(speaker) &&
      above.includes(keyOf(
        line.slice(speaker.length),
        speaker === said ? ANSWER_KEY_CHARS : SAID_KEY_CHARS,
      ));
    // Keeps a message that withdraws a statement, because the steps before it would otherwise read as valid.
    const isShown = (line: string): boolean => !isAbove(line, said) || WITHDRAWAL.test(line);
    const isCallAbove = (line: string): boolean =>
      !isRecord && line.length > 2 * SAID_KEY_CHARS &&
      above.includes(line.slice(2, 2 + SAID_KEY_CHARS));
    const withoutResult = (lookUp: string): string => {
      const step = lookUp.replace(/^last: /, "");
      return step.length > ANSWER_KEY_CHARS && above.includes(step.slice(0, ANSWER_KEY_CHARS))
        ? lookUp.split(OUTCOME, 1)[0] ?? ""
        : lookUp;
    };
    // A short reply such as "yes" may occur above by chance, so only the start of an item counts.
    const isRequest = (line: string): boolean =>
      hasNow && isAbove(line, asked) &&
      above.includes(`- ${line.slice(asked.length).slice(0, SAID_KEY_CHARS)}`);
    // The "Now" part also says that the user stopped the work.
    const isRepeated = (line: string): boolean =>
      isRequest(line) || (!isRecord && hasNow && line === `- ${INTERRUPTED}`);
    const unsaid = all.flatMap((line) => isShown(line) ? line : itemsOf(stepJoinedTo(line)));
    const end = unsaid.findLastIndex((line) => !isRepeated(line)) + 1;
    const start = Math.max(0, unsaid.findIndex((line) => !isRequest(line)));
    const fresh = unsaid.slice(start, end === 0 ? undefined : end).map((line) =>
      // The text above shows the rest of this line, so its start is enough to show where it belongs.
      isAbove(line, asked) || isAbove(line, said) || isCallAbove(line)
        ? cutEnd(line, asked.length + SAID_KEY_CHARS)
        : line.includes("looked at ") && !isRecord
        ? line.split("; ").map(withoutResult).join("; ")
        : line
    );
    const lines = sizeOfLines(fresh) <= room
      ? fresh
      : fresh.map((line) =>
        line.startsWith(said) ? cutEnds(line, MAX_SAID_CHARS, 1 / 2) : cutStep(line, MAX_STEP_CHARS)
      );
    let left = room;
    const before = lines.findLastIndex((line) => (left -= line.length + 1) < 0);
    return { lines: lines.slice(before + 1), omitted: before + 1 };
  };
}

/** Returns the start of a message, up to its first ellipsis; the text above may contain the cut passage. */
function keyOf(message: string, maxChars: number): string {
  const start = message.slice(0, maxChars);
  const cut = start.indexOf("…");
  return cut < MIN_KEY_CHARS ? start : start.slice(0, cut);
}

/** Matches a result that is raw JSON and so short that it explains nothing. */
const RAW_JSON = / → (?:\[?\{"|\[\{)[^]{0,150}$/;

const DID_NOT_WORK = / → (?:failed|refused|stopped)/;

/** Whether a call also matters to later requests: it did not succeed, started an agent, or changed the tree. */
function isLasting(step: string): boolean {
  return DID_NOT_WORK.test(step) || AGENT_STEP.test(step) ||
    gitCommands(COMMAND.exec(step)?.[1] ?? "").some(({ name }) => TREE_COMMANDS.has(name));
}

/**
 * Leaves out passed checks that `commands` lists, and failures that a later run shows again. With `hasNow`, also
 * leaves out old turns, and of earlier requests keeps only messages, except bare announcements, and calls that
 * still matter. A failed check that passed later does not.
 */
function relevantSteps(
  stopped: readonly string[],
  commands: readonly Said[],
  hasNow: boolean,
): string[] {
  const [from, begin] = hasNow ? turnsOf(stopped) : [0, 0];
  const asked = stopped.findLastIndex((step) => step.startsWith(USER));
  // The answer that ends a turn sums up its steps.
  const isEnded = hasNow && stopped.at(-1)?.startsWith(ASSISTANT) === true &&
    lastAnnouncedStep(stopped, asked) === "";
  const start = isEnded ? stopped.length : begin;
  const passed = commandsIn(commands, PASSED_COMMAND);
  const settled = [...passed, ...commandsIn(commands, RESOLVED_FAILURE)];
  const kept: string[] = [];
  const corrected = correctedIn(stopped);
  for (const [at, step] of stopped.entries()) {
    if (at < from) continue;
    const isEarlier = at < start;
    const isSaid = step.startsWith(ASSISTANT);
    if (at === stopped.length - 1 || step.startsWith(USER) || (isSaid && !isEarlier)) {
      kept.push(corrected.has(at) ? step + CORRECTED : step);
      continue;
    }
    if (isSaid) {
      const finding = findingIn(step);
      if (!isOnlyAnnouncement(finding)) kept.push(finding);
      continue;
    }
    if (isEarlier && !isLasting(step)) continue;
    const [, command = "", outcome = ""] = COMMAND.exec(step) ?? [];
    const checks = checksOf(command);
    const isSame = (other: string): boolean =>
      FAILED.test(other) && checksOf(COMMAND.exec(other)?.[1] ?? "") === checks;
    const isListed = isPassed(step, outcome) && hasCheck(command) && !kept.some(isSame) &&
      passed.some((one) => command.startsWith(one));
    const later = stopped.slice(at + 1);
    const isSettled = checks !== "" && (isShownAgain(step, checks, later) ||
      (isEarlier && FAILED.test(step) &&
        checks.split("; ").every((check) => settled.some((one) => check.startsWith(one)))));
    if (!isListed && !isSettled) kept.push(step.replace(RAW_JSON, ""));
    // Once a check is left out, the announcement of it would seem to be about the next step.
    else if (introduces(kept.at(-1) ?? "")) kept.pop();
  }
  return kept;
}

/**
 * Removes announcements, which the work after them may not have followed, and sentences such as "All tests pass
 * now.", because the commands are listed with their outcomes.
 */
function findingIn(message: string): string {
  const isPass = (one: string): boolean => CLAIMS_PASS.test(one) && !QUALIFICATION.test(one);
  const said = sentencesOf(message.slice(ASSISTANT.length))
    .filter((one) => !isAnnouncement(one) && !isPass(one));
  return ASSISTANT + said.join(" ");
}

const QUALIFICATION =
  /\b(?:no|not|never|only|but|except|because|unless|until|should|fail\w*)\b|n't\b/i;

function introduces(step: string): boolean {
  return isOnlyAnnouncement(step) ||
    (step.startsWith(ASSISTANT) && step.endsWith(":") && /\bfail/i.test(step) &&
      step.length <= MAX_CALL_CHARS);
}

/** Matches the name of a failed test, or the place of an error. */
const FAILURE_KEY = /(?<=--- FAIL: |FAILED |✗ |✕ )\S+|[\w./-]+\.\w{1,5}:\d+/g;

/** Whether a run before the next edit or prompt failed in the same way, or shows what a filter hid. */
function isShownAgain(step: string, checks: string, later: readonly string[]): boolean {
  const end = later.findIndex((one) => one.startsWith(USER) || EDIT.test(one));
  const keys = FAILED.test(step) ? step.match(FAILURE_KEY) ?? [] : [];
  const isHidden = (one: string): boolean => one.includes(`${HIDDEN_END}: nothing matched`);
  return later.slice(0, end < 0 ? undefined : end).some((one) =>
    (FAILED.test(one) && keys.some((key) => one.includes(key))) ||
    (isHidden(step) && !isHidden(one) && checksOf(COMMAND.exec(one)?.[1] ?? "") === checks)
  );
}

/** Returns the checks in a command without its filters, such as `npm test; npm run lint`. */
function checksOf(command: string): string {
  return simpleCommands(command).filter(({ isCheck }) => isCheck).map(({ words }) => words)
    .join("; ");
}

function isPassed(step: string, outcome: string): boolean {
  return !FAILED.test(step) && !isWithoutResult(outcome) && !outcome.startsWith(HIDDEN_END) &&
    !runsInBackground(outcome);
}

/** With fewer actions than this in the newest turn, the turn before it is shown as well. */
const MIN_TURN_ACTIONS = 3;

function turnsOf(stopped: readonly string[]): [from: number, start: number] {
  const prompts = stopped.flatMap((step, at) => step.startsWith(USER) ? at : []);
  const asked = prompts.at(-1) ?? 0;
  const acts = stopped.slice(asked + 1).filter((step) => !step.startsWith(ASSISTANT));
  const start = acts.length >= MIN_TURN_ACTIONS ? asked : prompts.at(-2) ?? 0;
  // Of the turn before these, only messages and some calls are shown.
  return [prompts.findLast((at) => at < start) ?? 0, start];
}

const AGENT_STEP = /^(?:Task|Agent) /;

const WITHDRAWAL =
  /^- Assistant: (?:No\b|(?:Actually|Wait|Sorry|You'?re right)\b|I was (?:wrong|mistaken)\b)/i;

const CUT_COMMAND = /^`[^`]*…`/;

/**
 * Omits look-ups that did not fail, commits, and commands that the text above already shows. Keeps a check
 * that is shown above, but without its error if it failed. A record lists every command.
 */
export function commandsPart(work: Work, { shown, isRecord, hasNow }: PartOptions): Fit {
  // The "Now" part, or else the part on progress, lists the checks and files of the plan that are still open.
  const commands = (work.trail?.commands ?? []).filter(({ text }) => isRecord || !isPlanned(text));
  const { since, before } = hasNow
    ? splitByRequest(commands, work)
    : { since: commands, before: [] };
  const items = [...since, ...before].map((said) => {
    const line = trailLine(said, isRecord);
    const words = commandIn(line);
    const isLookUp = !FAILED.test(line) &&
      (LOOK_UP_COMMAND.test(words) || isInspection(words)
        ? !isApiWrite(words)
        // Commits have their own part, and a part of a command cannot be run again.
        : (isCommit(words) && PASSED_COMMAND.test(line)) ||
          (CUT_COMMAND.test(line) && !hasCheck(words)));
    const key = shown.line(words).slice(0, COMMAND_KEY_CHARS);
    const isBefore = before.includes(said);
    return { item: shown.item(line), key, isLookUp, isCheck: hasCheck(words), isBefore };
  });
  return (room, above) => {
    let shownAbove = untimed(above);
    const kept = items.flatMap(({ item, key, isLookUp, isCheck, isBefore }) => {
      if (!isRecord && (isLookUp || (!isCheck && above.includes(key)))) return [];
      const line = isRecord ? item : withoutShown(item, shownAbove);
      shownAbove += untimed(item);
      return { line, isBefore };
    });
    const linesOf = (before: boolean): string[] =>
      kept.flatMap(({ line, isBefore }) => isBefore === before ? line : []);
    const older = linesOf(true);
    const head = older.length > 0 ? [`Before ${REQUEST}:`] : [];
    return headOf([...linesOf(false), ...head, ...older], room, shortenOutcome);
  };
}

function itemsOf(step: string): string[] {
  return step === "" ? [] : [`- ${step}`];
}

/** Captures the failed command, its error, and the files that the error is in. */
const FAILURE = new RegExp(
  `^(- ${FAILED_COMMAND.source.slice(1)}): (.+?)((?:; (?:also )?in .+?)?)$`,
);

const REMARK = /; the assistant said: "(.+)$/;

const FAILED_TESTS = /(?<=--- FAIL: )[^\s,]+(?:, [^\s,]+)*/;

function untimed(text: string): string {
  return text.replaceAll(/ \([\d.]+m?s\)/g, "");
}

/** Removes the assistant's remark, and the error of a failed command, if the text above shows them. */
function withoutShown(line: string, above: string): string {
  const [after = ""] = AFTERMATH.exec(line) ?? [];
  const body = line.slice(0, line.length - after.length);
  const isAbove = (text: string): boolean =>
    above.includes(untimed(text).slice(0, COMMAND_KEY_CHARS));
  const [said = "", remark = ""] = REMARK.exec(body) ?? [];
  const start = body.slice(0, body.length - said.length);
  const [, command = "", error = "", files = ""] = FAILURE.exec(start) ?? [];
  const tests = FAILED_TESTS.exec(error)?.[0].split(", ") ?? [];
  const isShown = command !== "" && isAbove(error) && tests.every((test) => above.includes(test));
  return (isShown ? command + files : start) + (isAbove(remark) ? "" : said) + after;
}

/**
 * Renders refused and stopped calls, corrections and rules. Omits an item that was already shown. Adds the age
 * of an old stopped call. A record lists every item, without its age.
 */
export function refusedLines(work: Work, { shown, isRecord }: PartOptions): string[] {
  const refused = work.trail?.refused ?? [];
  return refused.filter(({ text }) => isRecord || shown.addIfNew(text)).map((said) => {
    const line = trailLine(said, isRecord);
    const count = requestsSince(work, said);
    return isRecord || count < MIN_REQUESTS_SINCE
      ? line
      : line.replace(/^stopped /, `stopped ${counted(count, "request")} ago: `);
  });
}

function trailLine({ text, from }: Said, isRecord: boolean): string {
  const words = excerptLine(text, MAX_TRAIL_CHARS);
  return isRecord ? withPlace(words, from) : words;
}
