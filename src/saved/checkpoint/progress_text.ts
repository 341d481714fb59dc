/** Progress of the work, in a few lines. */

import { excerpt, excerptLine } from "../../extract/excerpt.ts";
import type { NextStep, WorkState } from "../../extract/work_state.ts";

const MAX_PROGRESS_CHARS = 4_000;

/** A line that counts something names no more of it than this. */
const MAX_NAMED = 8;

/** With less room than this an answer is left out. */
const MIN_ANSWER_CHARS = 40;

const MAX_LINE_CHARS = 400;

/** Words how far the work of a session is: files and commits, steps, then the last answers. */
export function progressText(state: WorkState): string {
  const { changes, commits, progress } = state;
  const facts = [
    state.partial === "" ? "" : `Not the whole session: ${state.partial}`,
    ...stepLines(state.next_steps),
    changes.length === 0 ? "" : `Files changed: ${named(changes.map(({ file }) => file))}`,
    commits.length === 0 ? "" : `Commits: ${named(commits.map(({ message }) => message))}`,
  ].filter((line) => line !== "");
  const text = facts.join("\n");
  const answers = newestThatFit(progress.recent.map((said) => said.text), text.length);
  return excerpt([...facts, ...answers].join("\n"), MAX_PROGRESS_CHARS);
}

/** What was said last matters most, so the room is filled from the end. */
function newestThatFit(texts: readonly string[], taken: number): string[] {
  const kept: string[] = [];
  let room = MAX_PROGRESS_CHARS - taken - 1;
  for (const text of texts.toReversed()) {
    if (room < MIN_ANSWER_CHARS) break;
    const answer = excerpt(text, room);
    room -= answer.length + 1;
    kept.unshift(answer);
  }
  return kept;
}

function stepLines(steps: readonly NextStep[]): string[] {
  if (steps.length === 0) return [];
  const done = steps.filter(({ status }) => status === "completed").length;
  const active = steps.filter(({ status }) => status === "in_progress").map(({ step }) => step);
  return [
    `${done} of ${steps.length} steps are done.`,
    active.length === 0 ? "" : `Now: ${named(active)}`,
  ];
}

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return excerptLine(names.slice(0, MAX_NAMED).join(", "), MAX_LINE_CHARS) + more;
}
