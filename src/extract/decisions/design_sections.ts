/** The sections of a plan, an approved design or a report that say how something is made. */

import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import type { ApprovedPlan } from "./dialogs.ts";
import { outline, type ProseLine, readProse, readSections } from "../prose.ts";

const MAX_SECTIONS = 8;

/** Longest section, in UTF-16 code units. */
const SECTION_CHARS = 560;

/** Length of a plan's beginning that counts as its reason, in UTF-16 code units. */
const PLAN_REASON_CHARS = 360;

/** The heading of something to do, which is no decision. */
const STEP = /^(?:step|phase|task)\s+\d/i;

export function readDesign(lines: readonly ProseLine[], kind: Draft["kind"]): Draft[] {
  return readSections(lines).flatMap(({ heading, lines: own }) => {
    if (DECISION_CUES.undecided.pattern.test(heading) || STEP.test(heading)) return [];
    const told = titled(heading, outline(withoutPassing(own), SECTION_CHARS));
    return DECISION_CUES.choosing.pattern.test(told) ? [draftOf(told, "", kind)] : [];
  }).slice(0, MAX_SECTIONS);
}

function readDecided(lines: readonly ProseLine[], kind: Draft["kind"]): Draft[] {
  const drafts: Draft[] = [];
  let isDecided = false;
  for (const { kind: form, text } of lines) {
    if (drafts.length >= MAX_SECTIONS) break;
    if (form !== "item") isDecided = DECISION_CUES.decided.pattern.test(text);
    else if (isDecided && !text.endsWith("?")) drafts.push(draftOf(text, "", kind));
  }
  return drafts;
}

export function readPlan(plan: ApprovedPlan): Draft[] {
  const lines = readProse(plan.text);
  const reason = outline(readSections(lines)[0]?.lines ?? [], PLAN_REASON_CHARS);
  const whole = draftOf(`Approved plan: ${plan.title}`, reason, "plan");
  // The section that gives the plan its reason is not listed again.
  const sections = readDesign(lines, "plan")
    .filter(({ decision }) => reason === "" || !decision.endsWith(reason));
  return [...sections, ...readDecided(readProse(rowsAsItems(plan.text)), "plan"), whole];
}

/** Turns the rows of tables into items, without the tables' heads. */
function rowsAsItems(text: string): string {
  return text.replaceAll(/^\|.*\|[ \t]*\n\|[\s:|-]+\|[ \t]*$/gm, "").replaceAll(
    /^\|(.+)\|[ \t]*$/gm,
    (_row, cells: string) => `- ${cells.split("|").map((cell) => cell.trim()).join(": ")}`,
  );
}

function titled(heading: string, told: string): string {
  return heading === "" ? told : `${heading.replace(/:$/, "")}: ${told}`;
}

/** Leaves out questions, and the lines under a label that decides nothing. */
function withoutPassing(lines: readonly ProseLine[]): ProseLine[] {
  let isSkipped = false;
  return lines.filter((line) => {
    if (line.kind === "label" || (line.kind === "text" && /^[^.]{2,60}:$/.test(line.text))) {
      isSkipped = DECISION_CUES.undecided.pattern.test(line.text);
    }
    return !isSkipped && !line.text.endsWith("?");
  });
}
