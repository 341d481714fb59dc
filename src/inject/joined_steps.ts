/** Joins and shortens lines that describe a session's last steps. */

import { GIT_READS } from "../core/command_names.ts";
import { MARK } from "./code_blocks.ts";
import { cutEnds } from "./ends.ts";
import { cutEnd } from "./fit_lines.ts";
import { sentencesOf } from "./prose.ts";
import { ASSISTANT, FAILED, isAnnouncement, OUTCOME, USER } from "./step_words.ts";
import { NO_SUCH_PATH } from "./telling_lines.ts";

/** Matches the line of an edit that did not fail, and captures the file's path. */
export const EDIT = /^(?:Edit|Write|MultiEdit|NotebookEdit) (\S+?)(?=:|$)/;

/** Matches steps that only read or search, whose success is not worth reporting. */
const LOOK_UP = new RegExp(
  String
    .raw`^(?:Grep|Read|Glob|LSP|WebFetch|WebSearch|Bash (?:cd \S+ && )?(?:git (?:${GIT_READS}|branch|remote)|gh (?:pr|issue|run|repo) (?:view|list|diff|checks)|gh api(?![^|]* (?:--method|-X|-f|-F|--field|--raw-field|--input)\b)|ls|cat(?! *>)|grep|rg|find|head|tail|wc|pwd|sed -n))\b`,
);

const QUOTED = /"[^"]*"|'[^']*'/g;

const WRITING = /\s>{1,2}\s*(?!\/dev\/null)["'\w./~$]/;

const MAX_LAST_CHARS = 220;
const MAX_JOINED_CHARS = 480;
const MAX_FOUND_LOOK_UPS = 5;
const MAX_FOUND_CHARS = 440;
const MAX_FETCHED_CHARS = 820;

const FOUND = new RegExp(`${OUTCOME}(?!ok$|no output$|No \\w+ found|failed|${NO_SUCH_PATH}$)`);

/**
 * Joins consecutive look-ups, repeated steps, or edits of one file into one line. Joins a step to the message
 * that introduces it. Leaves out bare announcements, earlier look-ups without a result, and look-ups before a
 * final answer.
 */
export function joinedSteps(steps: readonly string[]): string[] {
  const lines: string[] = [];
  const isAnswered = steps.at(-1)?.startsWith(ASSISTANT) === true;
  // Earlier look-ups show few results: an edit may have made them obsolete, and a message says what they showed.
  const isBreak = (step: string): boolean =>
    step.startsWith(USER) || EDIT.test(step) ||
    (step.startsWith(ASSISTANT) && !isOnlyAnnouncement(step));
  let breaksLeft = steps.filter(isBreak).length;
  let run: string[] = [];
  let isMessage = false;
  const close = (isLast = false): void => {
    const [only, ...others] = run;
    if (only === undefined) return;
    const line = others.length > 0 ? lookUpLine(run, breaksLeft === 0) : withoutRepeatedFiles(only);
    const before = lines.at(-1) ?? "";
    const hasResult = line.includes(OUTCOME);
    const isIntroduced = isIntroduction(before);
    run = [];
    const isAnnounced = isIntroduced || (isMessage && !hasResult && endsInAnnouncement(before));
    // The files are listed elsewhere, so without a result only the last look-ups are informative. A final answer
    // states what the look-ups showed.
    const isDropped = isAnswered || (!isLast && !hasResult);
    const isBare = isMessage && isOnlyAnnouncement(before) &&
      (isAnswered || !NAMING.test(before));
    if (isDropped && isBare) lines.pop();
    else if (!isDropped || (!isAnswered && (others.length > 0 ? isIntroduced : isAnnounced))) {
      lines.push(isAnnounced ? `${lines.pop()} ${line}` : line);
    } else return;
    isMessage = false;
  };
  const messages = steps.flatMap((step, at) => step.startsWith(ASSISTANT) ? at : []);
  const recentFrom = messages.at(-MAX_ANNOUNCEMENTS) ?? 0;
  const telling = steps.filter((step, at) =>
    at === steps.length - 1 ||
    (!isPlainAnnouncement(step) && !(at < recentFrom && isOnlyAnnouncement(step)))
  );
  for (const [step, times] of countRepeats(telling)) {
    if (isLookUp(step)) run.push(...Array.from({ length: times }, () => step));
    else {
      close();
      if (isBreak(step)) breaksLeft -= times;
      const line = times === 1 ? step : `${step} (${times} times)`;
      const before = lines.at(-1) ?? "";
      const joined = EDIT.test(line) && (isIntroduction(before) || announces(before, line))
        ? `${before} ${line}`
        : joinEdits(before, line);
      if (joined === "") lines.push(line);
      else lines[lines.length - 1] = joined;
      isMessage = joined === "" && line.startsWith(ASSISTANT);
    }
  }
  close(true);
  return lines;
}

/** Matches an edit, or a look-up with its result, that follows a message in the same line. */
const JOINED =
  /(?<=\S )(?:(?:Edit|Write|MultiEdit|NotebookEdit) \S*[./]\S|(?:Read \S+|looked at \d+ things:) .*? → )[^]*$/;

/** Returns the step that a message introduces in the same line; may be empty. */
export function stepJoinedTo(line: string): string {
  return JOINED.exec(line)?.[0] ?? "";
}

function isIntroduction(line: string): boolean {
  return line.startsWith(ASSISTANT) && line.endsWith(":");
}

function endsInAnnouncement(line: string): boolean {
  return line.startsWith(ASSISTANT) && isAnnouncement(sentencesOf(line).at(-1) ?? "");
}

/**
 * Only this many of the last messages keep their announcements. For earlier messages, the calls that follow
 * show what was done.
 */
const MAX_ANNOUNCEMENTS = 6;

/** Longest announcement that can be left out, in UTF-16 code units. */
const MAX_PLAIN_CHARS = 90;

const NAMING = /[`\d/]|\w[._]\w|[a-z][A-Z]/;

function isPlainAnnouncement(step: string): boolean {
  return step.length <= MAX_PLAIN_CHARS && !NAMING.test(step) && isOnlyAnnouncement(step);
}

/** Whether a message only announces an edit, and mentions only names that the edit contains. */
function announces(message: string, edit: string): boolean {
  if (message.endsWith(MARK) || !isOnlyAnnouncement(message)) return false;
  const isNamed = (text: string, name = text): string => edit.includes(name) ? "" : text;
  const rest = message.replaceAll(/`([^`]+)`/g, isNamed).replaceAll(FILE, (file) => isNamed(file));
  return !NAMING.test(rest);
}

const FILE = /[\w./-]*\w\.[a-z]{1,5}\b/g;

export function isOnlyAnnouncement(step: string): boolean {
  return step.startsWith(ASSISTANT) &&
    sentencesOf(step.slice(ASSISTANT.length)).every((one) =>
      isAnnouncement(one) || one.endsWith(":") || one.split(" ").length < MIN_INFORMATIVE_WORDS
    );
}

/** A shorter sentence, such as "Good thinking.", is uninformative. */
const MIN_INFORMATIVE_WORDS = 4;

function joinEdits(before: string, step: string): string {
  const [edit = ""] = EDIT.exec(step) ?? [];
  const start = `${edit}: `;
  const isEdit = (one: string): boolean => one.startsWith(start) && !one.includes(OUTCOME);
  // An edit without a function name would seem to belong to the function of the edit before it.
  const namesFunction = (edit: string): boolean => / in \S+: /.test(edit);
  const canJoin = isEdit(before) && isEdit(step) &&
    (namesFunction(step) || !namesFunction(before)) &&
    before.length + step.length <= MAX_JOINED_CHARS;
  return canJoin ? `${before}; ${step.slice(start.length)}` : "";
}

function countRepeats(steps: readonly string[]): [step: string, times: number][] {
  const found: [step: string, times: number][] = [];
  for (const step of steps) {
    const last = found.at(-1);
    if (last?.[0] === step) last[1]++;
    else found.push([step, 1]);
  }
  return found;
}

function lookUpLine(steps: readonly string[], isUnanswered: boolean): string {
  const counts = new Map<string, number>();
  for (const step of steps) {
    const name = /^\w+/.exec(step)?.[0] ?? "";
    counts.set(name, (counts.get(name) ?? 0) + lookUpsIn(step));
  }
  const shown = isUnanswered
    ? steps.slice(0, -1).filter((step) => FOUND.test(step)).slice(-MAX_FOUND_LOOK_UPS)
    : [];
  const last = steps.at(-1) ?? "";
  const list = [...counts].map(([name, count]) => `${name} ${count}`);
  const maxChars = isUnanswered ? MAX_FOUND_CHARS : MAX_LAST_CHARS;
  // Outcomes of this length were fetched for the request, or no message has commented on them.
  const limitOf = (step: string): number =>
    step.length - step.indexOf(OUTCOME) > MAX_FOUND_CHARS ? MAX_FETCHED_CHARS : maxChars;
  const parts = [
    `looked at ${lookUpsOf(steps)} things: ${list.join(", ")}`,
    ...shown.map((step) => cutStep(step, limitOf(step))),
    `last: ${cutStep(withoutRepeatedFiles(last), limitOf(last))}`,
  ];
  return parts.join("; ");
}

function withoutRepeatedFiles(step: string): string {
  if (!step.startsWith("Read ") || step.includes(OUTCOME)) return step;
  return `Read ${[...new Set(step.slice("Read ".length).split(", "))].join(", ")}`;
}

/** Counts the look-ups in a step, which can read several files. */
function lookUpsIn(step: string): number {
  const [files = ""] = step.split(OUTCOME, 1);
  return step.startsWith("Read ") ? files.split(", ").length : 1;
}

export function lookUpsOf(steps: readonly string[]): number {
  return steps.reduce((all, step) => all + lookUpsIn(step), 0);
}

/** A failed step with several commands is not a look-up, since any of the commands may have failed. */
export function isLookUp(step: string): boolean {
  if (!LOOK_UP.test(step)) return false;
  const [command = ""] = step.startsWith("Bash ") ? step.split(OUTCOME, 1) : [];
  return !WRITING.test(command.replaceAll(QUOTED, '""')) &&
    !(/&&|;/.test(command) && FAILED.test(step));
}

/** A step is cut only if it is longer than this multiple of its limit. */
const MAX_EXCESS = 1.15;

/** Shortens a call and its outcome separately, so that both stay readable. */
export function cutStep(step: string, maxChars: number): string {
  // The mark at a cut would use most of the room that the cut saves.
  if (step.length <= maxChars * MAX_EXCESS) return step;
  const outcomeStart = step.indexOf(OUTCOME);
  if (outcomeStart < 0) return cutEnds(step, maxChars);
  const [call, outcome] = [step.slice(0, outcomeStart), step.slice(outcomeStart)];
  const room = Math.max(maxChars - outcome.length, Math.floor(maxChars / 2));
  const head = cutEnds(call, room);
  return head + cutOutcome(outcome, maxChars - head.length);
}

const SEARCH_OUTCOME = /^ → (?:\d+(?: or more)? lines?(?: \([^()]*\))?|Found \d+ \w+): /;

/** Keeps lines from the start of an outcome, because a mark in the middle could join two lines into one. */
function cutOutcome(outcome: string, maxChars: number): string {
  const [first = "", ...others] = outcome.split(" | ");
  // In joined look-ups, the lines after the first belong to other searches, so they are not counted as hits.
  if (outcome.indexOf(OUTCOME, OUTCOME.length) >= 0) return cutEnds(outcome, maxChars);
  const isSearch = SEARCH_OUTCOME.test(first);
  // If both ends of a hit were kept, its last words could seem to belong to another file.
  let shown = isSearch ? cutEnd(first, maxChars) : cutEnds(first, maxChars);
  const more = isSearch ? /^\+(\d+) more$/.exec(others.at(-1) ?? "")?.[1] : undefined;
  const lines = more === undefined ? others : others.slice(0, -1);
  let left = lines.length + Number(more ?? 0);
  for (const line of lines) {
    if (shown.length + line.length + 3 > maxChars) break;
    shown += ` | ${line}`;
    left--;
  }
  return isSearch && left > 0 ? `${shown} | +${left} more` : shown;
}
