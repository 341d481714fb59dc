/** The facts of a work state as lines of a checkpoint. */

import { endItem, fewLines, guardStart, isByHand, oneLine } from "./item.ts";
import type { Decision, Issue, NextStep, Said } from "../../extract/work_state.ts";

const MAX_FACT_CHARS = 400;

/** Characters and lines of the first requirement that are quoted. */
export const TASK_BOUNDS = { maxChars: 2_600, maxLines: 60 };

const MAX_REQUIREMENT_CHARS = 1_450;

/** The most characters of the reason of a decision, and of all its alternatives together. */
const MAX_REASON_CHARS = 300;

const MAX_ANSWER_CHARS = 160;

const MAX_ALTERNATIVES = 6;

const BECAUSE = " — because ";
const NOT = " — not: ";

export function saidLine(said: Said, maxChars: number = MAX_FACT_CHARS): string {
  const text = oneLine(said.text, maxChars);
  return text === "" ? "" : endItem({ text: guardStart(text), label: "", from: said.from });
}

export function requirementLine(said: Said): string {
  return saidLine({ ...said, text: fewLines(said.text, TASK_BOUNDS) }, MAX_REQUIREMENT_CHARS);
}

/** Words one of the last answers, or a note by hand on the progress. */
export function recentLine(said: Said): string {
  return saidLine(said, isByHand(said.from) ? MAX_FACT_CHARS : MAX_ANSWER_CHARS);
}

export function issueLine(issue: Issue): string {
  const text = oneLine(issue.issue, MAX_FACT_CHARS);
  if (text === "") return "";
  const label = isByHand(issue.from) ? "" : issue.kind;
  return endItem({ text: guardStart(text), label, from: issue.from });
}

/** Words a decision: what, why, and what not. */
export function decisionLine(decision: Decision): string {
  const what = decisionPart(decision.decision, MAX_FACT_CHARS);
  if (what === "") return "";
  const why = decisionPart(decision.rationale, MAX_REASON_CHARS).replace(/^(?:because\s+)+/i, "");
  const label = isByHand(decision.from) ? "" : decision.kind;
  const text = guardStart(what) + (why === "" ? "" : BECAUSE + why) + alternativesText(decision);
  return endItem({ text, label, from: decision.from });
}

export function stepLine(step: NextStep): string {
  const text = oneLine(step.step, MAX_FACT_CHARS);
  if (text === "") return "";
  const box = step.status === "completed" ? "[x] " : "[ ] ";
  const label = step.status === "in_progress" ? "in progress" : "";
  return endItem({ text: box + guardStart(text), label, from: step.from });
}

function alternativesText(decision: Decision): string {
  const all = decision.alternatives.slice(0, MAX_ALTERNATIVES)
    .map((one) => decisionPart(one, MAX_REASON_CHARS / 2).replaceAll(";", ","))
    .filter((one) => one !== "").join("; ");
  return all === "" ? "" : NOT + all;
}

/** Words that hold none of the marks between the parts of a decision. */
function decisionPart(text: string, maxChars: number): string {
  return oneLine(text, maxChars).replaceAll(/—(?= because\b| not:)/g, "-");
}
