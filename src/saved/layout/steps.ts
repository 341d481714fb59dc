/** The parts of what was done: the last steps, and commands with their outcome. */

import { boundText } from "../../inject/bound.ts";
import { cutEnds } from "../../inject/ends.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import {
  ASSISTANT,
  commandIn,
  cutStep,
  FAILED,
  joinedSteps,
  USER,
} from "../../extract/trail/step_words.ts";
import { UNRUN } from "../../extract/trail/plan_checks.ts";
import { hasCheck } from "../../core/shell_commands.ts";
import type { Said } from "../../extract/work_state.ts";
import { placed } from "./lines.ts";
import { headOf, MIN_LINE_CHARS, sizeOfLines } from "../../inject/fit_lines.ts";
import type { Fit, PartOptions, Work } from "./part.ts";

const MAX_TRAIL_CHARS = 1_200;

/** Most UTF-16 code units of a call that went well where the layout is brief. */
const MAX_CALL_CHARS = 100;

/** Length of the start by which a command is found in the lines above, in UTF-16 code units. */
const COMMAND_KEY_CHARS = 40;

/** Room of an answer and of a step where not all have room, in UTF-16 code units. */
const MAX_SAID_CHARS = 1_100;
const MAX_STEP_CHARS = 520;

/** Length of the start by which words are known again, in UTF-16 code units. */
const SAID_KEY_CHARS = 120;

/** Commands that only look, or move between states of the work. */
const LOOK_UP_COMMAND =
  /\bgit (?:reset|restore|checkout|switch|log|rev-parse|symbolic-ref|ls-files|config|remote|check-ignore|ls-tree|merge-base|branch|fetch|stash list)\b|\bgh (?:api|pr list|pr view|search)\b/;

const FAILED_CHECK = /^`[^`]*`(?: \d+ times)? failed/;

/** The newest steps that have room, newest last. */
export function stoppedPart(work: Work, { shown, isBrief, isRecord }: PartOptions): Fit {
  const stopped = work.trail?.stopped ?? [];
  const steps = isRecord
    ? stopped.map((said) => trailLine(said, true))
    : joinedSteps(stopped.map(({ text }) => text));
  const all = steps.map((text) => {
    const isShort = isBrief && !text.startsWith(USER) && !text.startsWith(ASSISTANT) &&
      !FAILED.test(text);
    return shown.item(cutStep(shown.line(text), isShort ? MAX_CALL_CHARS : Infinity));
  });
  return (room, above) => {
    // An answer that the newest request replies to stands under Now already.
    const said = `- ${ASSISTANT}`;
    const told = all.filter((line) =>
      isRecord || !line.startsWith(said) ||
      !above.includes(line.slice(said.length).slice(0, SAID_KEY_CHARS))
    );
    const lines = sizeOfLines(told) <= room
      ? told
      : told.map((line) =>
        line.startsWith(said) ? cutEnds(line, MAX_SAID_CHARS, 1 / 2) : cutStep(line, MAX_STEP_CHARS)
      );
    let left = room;
    const before = lines.findLastIndex((line) => (left -= line.length + 1) < 0);
    const kept = lines.slice(before + 1);
    const last = lines.at(-1);
    // The beginning of the last step is better than none.
    if (kept.length === 0 && last !== undefined && room > MIN_LINE_CHARS) {
      return { lines: [boundText(last, room - 1)], left: before + 1 };
    }
    return { lines: kept, left: before + 1 };
  };
}

/** Commands with their outcome, without look-ups and those of which the lines above say as much. */
export function commandsPart(work: Work, { shown, isRecord }: PartOptions): Fit {
  // Checks of a plan that did not run stand under Now.
  const commands = (work.trail?.commands ?? []).filter(({ text }) =>
    isRecord || !text.endsWith(UNRUN)
  );
  const rows = commands.map((said) => {
    const line = trailLine(said, isRecord);
    const words = commandIn(line);
    const isQuiet = LOOK_UP_COMMAND.test(words) && !FAILED.test(line);
    const key = shown.line(words).slice(0, COMMAND_KEY_CHARS);
    // How the work is checked stands nowhere else, and how it failed among the last steps.
    const isShort = !isRecord && !line.includes(" since then");
    const short = shown.item(isShort ? FAILED_CHECK.exec(line)?.[0] ?? line : line);
    return { item: shown.item(line), short, key, isQuiet, isCheck: hasCheck(words) };
  });
  return (room, above) => {
    const kept = rows.flatMap(({ item, short, key, isQuiet, isCheck }) => {
      if (isRecord || (!isQuiet && !above.includes(key))) return item;
      return isQuiet || !isCheck ? [] : short;
    });
    return headOf(kept, room);
  };
}

export function trailLine({ text, from }: Said, isRecord: boolean): string {
  const words = excerptLine(text, MAX_TRAIL_CHARS);
  return isRecord ? placed(words, from) : words;
}
