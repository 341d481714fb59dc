/** The sections of a plan, an approved design or a report that say how something is made. */

import { DECISION_CUES } from "./cues.ts";
import { type Draft, draftOf } from "./draft.ts";
import type { ApprovedPlan } from "./dialogs.ts";
import { outline, type ProseLine, readProse, readSections } from "../prose.ts";

/** The most sections taken from one text. */
const MAX_SECTIONS = 8;

/** How much of a section is told, in UTF-16 code units. */
const SECTION_CHARS = 560;

/** How much of a plan's beginning is told as its reason, in UTF-16 code units. */
const PLAN_REASON_CHARS = 360;

/** A section of which less is told says nothing, in UTF-16 code units. */
const MIN_SECTION_CHARS = 40;

/** A line before code that is this long tells what the code is for, in UTF-16 code units. */
const MIN_LEAD_CHARS = 80;

/** How the sections of one kind of text are chosen. */
interface Selection {
  readonly kind: Draft["kind"];
  /** The headings under which nothing is decided. */
  readonly passing: RegExp;
  /** Whether a line may tell a decision. */
  readonly keeps: (line: ProseLine) => boolean;
  /** Whether a section, lines and outline, may tell one. */
  readonly decides: (lines: readonly ProseLine[], told: string) => boolean;
}

/** Outlines the sections of a text that was agreed to. */
export function readDesign(lines: readonly ProseLine[], kind: Draft["kind"]): Draft[] {
  return draftsOf(lines, {
    kind,
    passing: DECISION_CUES.undecided.pattern,
    keeps: isNoQuestion,
    decides: choosesSomething,
  });
}

/** Reads what stands as items under a heading such as "Decisions". */
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

/** How a line ends that heads what the assistant is about to change. */
const PLANNED = /\b(?:plan|changes|fixes|approach|design)(?: needed| required)?(?: are| is)?:$/i;

/** Outlines the lists under lines such as "The changes needed are:". */
export function readPlanned(lines: readonly ProseLine[]): Draft[] {
  return lines.flatMap((line, at) => {
    if (line.kind !== "text" || !PLANNED.test(line.text)) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex(({ kind }) => kind !== "item");
    const items = rest.slice(0, end < 0 ? rest.length : end).filter(isReported);
    return items.length === 0 ? [] : [draftOf(outline(items, SECTION_CHARS), "", "assistant")];
  }).slice(0, MAX_SECTIONS);
}

export function readPlan(plan: ApprovedPlan): Draft[] {
  const lines = readProse(plan.text);
  const reason = outline(readSections(lines)[0]?.lines ?? [], PLAN_REASON_CHARS);
  const whole = draftOf(`Approved plan: ${plan.title}`, reason, "plan");
  // What gives the plan its reason is not told twice.
  const sections = readDesign(lines, "plan")
    .filter(({ decision }) => reason === "" || !decision.endsWith(reason));
  return [...sections, ...readDecided(lines, "plan"), whole];
}

function draftsOf(lines: readonly ProseLine[], selection: Selection): Draft[] {
  const drafts: Draft[] = [];
  for (const { heading, lines: own } of readSections(lines)) {
    if (drafts.length >= MAX_SECTIONS) break;
    if (selection.passing.test(heading)) continue;
    const kept = withoutPassing(own, selection.passing).filter(selection.keeps);
    const told = titled(heading, outline(kept, SECTION_CHARS));
    if (selection.decides(kept, told)) drafts.push(draftOf(told, "", selection.kind));
  }
  return drafts;
}

function titled(heading: string, told: string): string {
  return heading === "" ? told : `${heading.replace(/:$/, "")}: ${told}`;
}

/** Leaves out what stands under a label that decides nothing. */
function withoutPassing(lines: readonly ProseLine[], passing: RegExp): ProseLine[] {
  let isSkipped = false;
  return lines.filter((line) => {
    if (line.kind === "label" || (line.kind === "text" && /^[^.]{2,60}:$/.test(line.text))) {
      isSkipped = passing.test(line.text);
    }
    return !isSkipped;
  });
}

function isNoQuestion({ text }: ProseLine): boolean {
  return !text.endsWith("?");
}

function isReported(line: ProseLine): boolean {
  return isNoQuestion(line) && !DECISION_CUES.passingItem.pattern.test(line.text) &&
    !(line.kind === "text" && DECISION_CUES.report.pattern.test(line.text));
}

function isLongEnough(lines: readonly ProseLine[], told: string): boolean {
  return lines.some(({ text }) => !text.endsWith(":") || text.length >= MIN_LEAD_CHARS) &&
    told.length >= MIN_SECTION_CHARS;
}

function choosesSomething(lines: readonly ProseLine[], told: string): boolean {
  return isLongEnough(lines, told) && DECISION_CUES.choosing.pattern.test(told);
}
