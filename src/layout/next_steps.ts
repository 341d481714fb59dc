/** Renders the open steps of a list as the next step, and the open parts of a plan. */

import { FILE_NAME } from "../inject/edits.ts";
import { ASSISTANT, checkKindsIn } from "../inject/step_words.ts";
import { isSameText, wordsOf } from "../inject/word_set.ts";
import { lastAnnouncedStep } from "../extract/trail/last_turn.ts";
import { SINCE_NAMES } from "../extract/todos.ts";
import type { NextStep, Said, Trail } from "../core/work_state.ts";
import { stepText } from "./lines.ts";
import { BY_HAND, UNEDITED, UNRUN } from "../commands/open_plan.ts";

const MAX_STEP_CHARS = 160;
const MAX_NOTED_STEPS = 2;
const MIN_SHARED_WORDS = 2;
const MAX_PLANNED = 8;

/**
 * Returns words for an announcement that the assistant made after it had listed the open steps. Returns an
 * empty string if it announced one of these steps, or if a step is in progress.
 */
export function announcedFirst({ stopped }: Trail, at: number, open: readonly NextStep[]): string {
  const announced = lastAnnouncedStep(stopped.map(({ text }) => text), at);
  const said = stopped.findLast(({ text }) => text.startsWith(ASSISTANT));
  const listedAt = Math.max(...open.map(({ from }) => from.line ?? 0));
  const words = wordsOf(announced);
  const isListed = open.some(({ step, status }) =>
    status === "in_progress" || isSameText(wordsOf(step), words) ||
    [...wordsOf(step)].every((word) => words.has(word))
  );
  return announced !== "" && !isListed && (said?.from.line ?? 0) > listedAt
    ? "what was announced, then "
    : "";
}

const GO_ON =
  /\b(?:continue|carry on|go (?:on|ahead|for it)|keep going|proceed|resume|next|rest|remaining|everything|all|both|tasks?|todos?|steps?|phases?|batch|list|plan)\b|#\d/i;

/**
 * Whether a prompt asks to go on with a list, or shares words with one of its open steps, or later edits show
 * work on the list.
 */
export function concernsList(prompt: string, open: readonly NextStep[]): boolean {
  const words = wordsOf(prompt);
  return GO_ON.test(prompt) || prompt.startsWith("/") ||
    open.some((one) =>
      mayBeDone(one, open) || wordsOf(one.step).intersection(words).size >= MIN_SHARED_WORDS
    );
}

function mayBeDone({ step, status, since = "" }: NextStep, open: readonly NextStep[]): boolean {
  // Edits may have finished work, but not a run of checks.
  return (status === "in_progress" && since.startsWith("edits of ") &&
    (checkKindsIn(step).length === 0 || WRITES_TESTS.test(step))) ||
    (open.length === 1 && PASSED_SINCE.test(since)) ||
    since.includes(SINCE_NAMES) ||
    (step.match(FILE_NAME) ?? []).some((name) => since.includes(name));
}

/**
 * Renders the current steps and, if work on them was seen, the step after them. If later work suggests that
 * steps may be done, such as edits of files that a step mentions, asks to check what is left of them, and adds
 * the first step without such work.
 */
export function nextSteps(current: readonly NextStep[], open: readonly NextStep[]): string {
  const others = open.filter((one) => !current.includes(one));
  // One step with such work is enough, because edits usually name only some of the steps in progress.
  const areBegun = current.some((one) => mayBeDone(one, open)) &&
    current.every(({ since }) => since !== undefined);
  if (!areBegun) {
    const after = current[0]?.since === undefined ? [] : others.slice(0, 1);
    return [current, after].filter((steps) => steps.length > 0).map(stepsLine).join("; then ");
  }
  const nextIndex = others.findIndex((one) => !mayBeDone(one, open));
  const maybeDone = [...current, ...nextIndex < 0 ? others : others.slice(0, nextIndex)];
  const then = nextIndex < 0 ? "" : stepsLine(others.slice(nextIndex, nextIndex + 1));
  const check = `check what is left of ${stepsLine(maybeDone)}`;
  return then === "" ? check : `${check}; then ${then}`;
}

/** Matches a step that writes tests instead of running them. */
const WRITES_TESTS = /^(?:add|write|create|implement|extend|update)\b.*\btests?\b/i;

const PASSED_SINCE = /^edits of .*\ba passing `/;

/** Leaves out the notes about later work if there are many steps, because the list of steps shows them. */
function stepsLine(steps: readonly NextStep[]): string {
  const isLong = steps.length > MAX_NOTED_STEPS;
  return steps.map((one) => stepText(one, MAX_STEP_CHARS, isLong ? [] : undefined)).join("; and ");
}

const PLANNED = {
  [UNRUN]: "In the plan, but not seen to run",
  [UNEDITED]: "In the plan, but not seen to be edited",
  [BY_HAND]: "Manual checks in the plan, not known to be done",
} as const;

/** Lists the plan's commands or manual checks without a recorded run, or its files without a recorded edit. */
export function plannedLine(commands: readonly Said[], end: keyof typeof PLANNED): string {
  const named = commands.flatMap(({ text }) =>
    text.endsWith(end) ? text.slice(0, -end.length) : []
  );
  const left = named.length - MAX_PLANNED;
  const more = left > 0 ? `; ${left} more` : "";
  return named.length === 0
    ? ""
    : `${PLANNED[end]}: ${named.slice(0, MAX_PLANNED).join("; ")}${more}`;
}
