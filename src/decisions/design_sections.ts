/** Reads decisions from the sections of a plan, an approved design or a report. */

import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import type { ApprovedPlan } from "./dialogs.ts";
import { cellsOf, rowsAsItems } from "../inject/plain_markdown.ts";
import { outline, type ProseLine, readProse, readSections, sentencesIn } from "../inject/prose.ts";

const MAX_SECTIONS = 8;

const SECTION_CHARS = 560;

const PLAN_REASON_CHARS = 360;

/** Headings of steps, such as "Phase 2", are not decisions. */
const STEP =
  /^(?:(?:step|phase|task)\s+\d|(?:create|modify|update|delete)d?:?$|(?:implementation )?order(?: of work)?:?$|(?:test|testing|implementation|verification) (?:steps?|plan)\b)/i;

/** Matches the heading of a step that describes work, such as "3. Update `setup.go`", or is only a file. */
const WORK_STEP =
  /^\d{1,2}[.)]\s+(?:(?:update|rewrite|add|create|modify|change|edit|refactor|implement|write|wire|extend|adjust|fix|improve|remove|replace|rename|simplify|extract|delete)\b|`[\w./-]+\.\w+`[^a-z]*$)/i;

const CHOICE =
  /\b(?:because|so that|since|instead|rather|in order to|to avoid|no longer|never|always|must|only|keep)\b/i;

/** Matches the heading of a section that changes nothing, such as "Docs (no changes needed)". */
const NO_CHANGE = /\bno (?:code )?changes?(?: (?:is |are )?(?:needed|required|necessary))?\)?$/i;

const REASON_CUE =
  /^(?:[\w ]*\b)?(?:problem|motivation|why|goal|purpose|rationale|issue|root cause|bug)\b|\b(?:because|since|so that|in order to|but|currently|today|fails?|missing|broken|cannot|can't|doesn't|don't|lost)\b/i;

const NEED = /\b(?:we need|needs? to|must|should|so that|because|the goal is|in order to)\b/i;

/** Matches an introduction to code that was removed from the text, such as "Replace the message: With:". */
const CODE_INTRODUCTION = /^[^.]{0,80}:\s+\w[^.:]{0,20}:$/;

export const APPROVED = "Approved plan: ";

const STEPS_HEADING = /\bsteps:?$/i;

export function readDesign(lines: readonly ProseLine[], kind: Draft["kind"]): Draft[] {
  let isInSteps = false;
  return readSections(lines).flatMap(({ heading, lines: own }) => {
    const isNumbered = /^\d{1,2}[.)]\s/.test(heading);
    isInSteps = STEPS_HEADING.test(heading) || (isInSteps && isNumbered);
    if (isInSteps && isNumbered) return [];
    const isUndecided = [DECISION_CUES.undecided, STEP, NO_CHANGE].some((one) => one.test(heading));
    if (isUndecided) return [];
    const text = withHeading(heading, outline(withoutUndecided(own), SECTION_CHARS));
    const isWork = WORK_STEP.test(heading) && !CHOICE.test(text);
    const isDecided = !CODE_INTRODUCTION.test(text) && !isWork && DECISION_CUES.choosing.test(text);
    return isDecided ? [draftOf(text, "", kind)] : [];
  }).slice(0, MAX_SECTIONS);
}

function readDecided(lines: readonly ProseLine[]): Draft[] {
  let isDecided = false;
  const decided = lines.filter(({ kind, text }) => {
    if (kind !== "item") isDecided = DECISION_CUES.decided.test(text);
    return kind === "item" && isDecided && !text.endsWith("?");
  });
  return decided.slice(0, MAX_SECTIONS).map(({ text }) => draftOf(text, "", "plan"));
}

export function readPlan(plan: ApprovedPlan): Draft[] {
  const lines = readProse(plan.text);
  const first = readSections(lines)[0] ?? { heading: "", lines: [] };
  const said = sentencesIn(first.lines, "text");
  const need = said.find((sentence) => NEED.test(sentence)) ?? "";
  const opening = outline(first.lines, PLAN_REASON_CHARS);
  const isIncluded = opening.includes(need) || opening.length + need.length >= PLAN_REASON_CHARS;
  const reason = isIncluded ? opening : `${opening} ${need}`;
  // An opening without a reason, such as an overview, becomes part of the decision.
  const isReason = REASON_CUE.test(`${first.heading}: ${reason}`);
  const approved = `${APPROVED}${plan.title}`;
  const whole = isReason
    ? draftOf(approved, reason, "plan")
    : { ...draftOf(withHeading(approved, reason), "", "plan"), alternatives: [] };
  // The plan's reason is not repeated as a section.
  const sections = readDesign(lines, "plan")
    .filter(({ decision }) => reason === "" || !decision.endsWith(reason));
  return [...sections, ...readDecided(readProse(rowsAsItems(plan.text))), whole];
}

const PLAN_FILE =
  /(?:^|\/)(?:plans|designs|specs)\/[^/]+\.md$|(?:^|[/_-])(?:plan|design|spec)\.md$/i;

/** Matches the heading of a section that states choices or limits rather than steps. */
const DECIDED_SECTION =
  /^(?:\d+[.)]\s*)?(?:(?:key|main|core|design|technical|architectur\w+|final)\s+)*(?:decisions?(?: made)?|rationale|trade-?offs?|non-goals?|out of scope|alternatives considered)\s*:?$|^why\b/i;

const NOTES = /^(?:design |further )?notes?:?$/i;
const QUESTION_ABOVE_ANSWER = /^(?:why\b.*|[^.]{4,60}\?)$/i;

/** Returns the choices that a plan file states. The assistant wrote the file. */
export function readPlanFile(path: string, content: string): Draft[] {
  if (!PLAN_FILE.test(path)) return [];
  return readSections(readProse(rowsAsItems(content))).flatMap(({ heading, lines }) => {
    // Notes count only if they answer questions.
    const isAnswered = NOTES.test(heading) &&
      lines.some(({ kind, text }) => kind !== "item" && QUESTION_ABOVE_ANSWER.test(text));
    if (!isAnswered && !DECIDED_SECTION.test(heading)) return [];
    const text = outline(lines, SECTION_CHARS);
    const words = isAnswered ? text : withHeading(heading, text);
    return [{ ...draftOf(words, "", "plan"), alternatives: [] }];
  }).slice(0, MAX_SECTIONS);
}

const TABLE = /^\|(.+)\|[ \t]*\n\|[\s:|-]+\|[ \t]*\n((?:\|.*\|[ \t]*(?:\n|$))+)/gm;

/** Matches a first cell that starts with an option's key: `**B. A shared file**`, `#4`, `Option 2`. */
const KEYED_CELL = /^(?:\*\*)?(?:option )?#?(\d{1,2}|[A-H])(?:[.):]\s*|(?:\*\*)?$)(.*)$/i;

/** These column headers are kept, because without them a drawback could read as an advantage. */
const TRADE_OFF_HEADER = /^(?:pros?|cons?|trade-?offs?|risks?|drawbacks?|downsides?)$/i;

/** Turns a table row such as `| B. One file | fast |` into an item such as `B. One file; fast`. */
export function keyedRowsAsItems(text: string): string {
  return text.replaceAll(TABLE, (_table, head: string, rows: string) => {
    const heads = cellsOf(head);
    return rows.split("\n").map((row) => {
      const [first = "", ...others] = cellsOf(row.replace(/^\||\|[ \t]*$/g, ""));
      const [, key, words = ""] = KEYED_CELL.exec(first) ?? [];
      if (key === undefined) return row;
      const cells = others.map((cell, at) =>
        TRADE_OFF_HEADER.test(heads[at + 1] ?? "") ? `${heads[at + 1]}: ${cell}` : cell
      );
      return `${key}. ${[words, ...cells].filter((cell) => cell !== "").join("; ")}`;
    }).join("\n");
  });
}

function withHeading(heading: string, text: string): string {
  if (text === "") return heading;
  return heading === "" ? text : `${heading.replace(/:$/, "")}: ${text}`;
}

/** Drops questions, and the lines below labels such as "Background:". */
function withoutUndecided(lines: readonly ProseLine[]): ProseLine[] {
  let isSkipped = false;
  return lines.filter((line) => {
    if (line.kind === "label" || (line.kind === "text" && /^[^.]{2,60}:$/.test(line.text))) {
      isSkipped = DECISION_CUES.undecided.test(line.text);
    }
    return !isSkipped && !line.text.endsWith("?");
  });
}
