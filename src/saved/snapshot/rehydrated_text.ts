/** Words a snapshot at one of three levels of detail. */

import { fitBetween, type Section } from "../../inject/fit_sections.ts";
import { quoteItem, quoteLine, quoteText } from "../../inject/plain_markdown.ts";
import { contentParts } from "./content_parts.ts";
import {
  type ContextSnapshot,
  type KeyDecision,
  openSteps,
  type SnapshotChange,
  type SnapshotContent,
} from "./snapshot.ts";

/** Levels of detail of a restored snapshot, from the least to the most. */
export const REHYDRATION_LEVELS: readonly ["essential", "standard", "comprehensive"] = Object
  .freeze(["essential", "standard", "comprehensive"]);

/** One of {@linkcode REHYDRATION_LEVELS}. */
export type RehydrationLevel = typeof REHYDRATION_LEVELS[number];

/** Lines on how far the work is that stand in no other part. */
const STATE_LINE =
  /^(?:Not the whole session: |\d+ of \d+ steps are done\.$|Now: |Files changed: |Commits: )/;

/** At the least level, characters of where it stopped. */
const ESSENTIAL_STOPPED_CHARS = 1_500;

export function requireLevel(level: unknown): asserts level is RehydrationLevel {
  if (REHYDRATION_LEVELS.some((one) => one === level)) return;
  throw new RangeError(
    `Cannot rehydrate: the level is ${JSON.stringify(level)}, ` +
      `expected ${REHYDRATION_LEVELS.join(", ")}`,
  );
}

/** Words a snapshot as Markdown. Without a bound each level says all that the one before does. */
export function rehydratedText(
  snapshot: ContextSnapshot,
  level: RehydrationLevel,
  maxChars: number = Infinity,
): string {
  const detail = REHYDRATION_LEVELS.indexOf(level);
  const isFull = detail >= REHYDRATION_LEVELS.indexOf("comprehensive");
  const isStandard = detail >= REHYDRATION_LEVELS.indexOf("standard");
  const parts = contentParts(snapshot, maxChars);
  const task = parts.get("Task") ?? requirementItems(snapshot);
  const first = {
    heading: "## Original Requirements",
    items: isStandard || !parts.has("Task") ? task : firstAndLast(task, snapshot),
  };
  const sections: Section[] = [
    { heading: "## Current State", items: stateLines(snapshot) },
  ];
  const open = openItems(snapshot);
  if (!isStandard && open.length > 0) sections.push({ heading: "## Open Items", items: open });
  if (isStandard) {
    const decisions = snapshot.key_decisions.flatMap((one) => decisionLines(one, isFull));
    sections.push(
      { heading: "## Open Items", items: snapshot.open_items.map(quoteItem) },
      { heading: "## Key Decisions", items: decisions },
      ...partSections(parts, ["Refused or Corrected", "Commands", "Files", "Git", "Names"]),
    );
  }
  if (isFull) {
    sections.push(
      { heading: "## Tools Used", items: snapshot.tools_used.map(quoteItem) },
      { heading: "## Changes", items: changeLines(snapshot) },
    );
    if (snapshot.learnings.length > 0) {
      sections.push({ heading: "## Learnings", items: snapshot.learnings.map(quoteItem) });
    }
  }
  const stopped = parts.get("Where It Stopped") ?? [];
  const kept = isStandard ? stopped : lastThatFit(stopped, ESSENTIAL_STOPPED_CHARS);
  const last = partSections(new Map([["Where It Stopped", kept]]), ["Where It Stopped"]);
  const title = `# Restored Context: ${quoteLine(snapshot.name ?? snapshot.snapshot_id)}`;
  return `${fitBetween({ title, first, last }, sections, maxChars - 1)}\n`;
}

/** The first prompt says what the work is about, the newest what was asked for last. */
function firstAndLast(
  lines: readonly string[],
  { later_requirements: later }: SnapshotContent,
): string[] {
  const between = later.length - 1;
  return [
    ...lines.slice(0, 1),
    ...(between > 0 ? [`(${between} more between)`] : []),
    ...lines.slice(1).slice(-1),
  ];
}

/** Of the open items those that are steps, where a snapshot knows where it stopped. */
function openItems(snapshot: ContextSnapshot): string[] {
  if (snapshot.trail === undefined) return [];
  const steps = openSteps(snapshot);
  return snapshot.open_items.filter((item) => steps.includes(item)).map(quoteItem);
}

/** Words parts as sections; one of which nothing is known is left out. */
export function partSections(
  parts: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
): Section[] {
  return names.flatMap((name) => {
    const items = parts.get(name) ?? [];
    return items.length === 0 ? [] : [{ heading: `## ${name}`, items }];
  });
}

function lastThatFit(lines: readonly string[], maxChars: number): readonly string[] {
  let left = maxChars;
  const before = lines.findLastIndex((line) => (left -= line.length + 1) < 0);
  return lines.slice(Math.min(before + 1, Math.max(lines.length - 1, 0)));
}

export function requirementItems(content: SnapshotContent): string[] {
  const first = quoteText(content.original_requirements);
  const later = content.later_requirements.map(quoteItem);
  if (later[0] !== undefined) later[0] = `${first === "" ? "" : "\n"}Later:\n${later[0]}`;
  return first === "" ? later : [first, ...later];
}

export function stateLines(content: SnapshotContent): string[] {
  const { phase_state: phase, active_task: task } = content;
  const lines = [
    phase === null ? "" : `Phase ${phase.phase_number} - ${quoteLine(phase.phase_name)}`,
    task === null ? "" : `Task ${quoteLine(task.plan_id)} (${quoteLine(task.status)})`,
    ...quoteText(content.implementation_state).split("\n").filter(isState),
  ];
  return lines.filter((line) => line !== "");

  /** Files, commits and the last answers stand in parts of their own, where there is a trail. */
  function isState(line: string): boolean {
    return (content.trail?.stopped.length ?? 0) === 0 || STATE_LINE.test(line);
  }
}

export function changeLines(content: SnapshotContent): string[] {
  const commits = content.commits.map(({ hash, message }) =>
    quoteItem(`commit ${hash === "" ? "" : `${hash} `}${quoteLine(message)}`)
  );
  return [...content.changes.map(changeLine), ...commits];
}

export function decisionLines(decision: KeyDecision, isFull: boolean): string[] {
  const lines = [quoteItem(decision.decision)];
  if (!isFull) return lines;
  if (decision.rationale !== "") lines.push(`  - Rationale: ${quoteLine(decision.rationale)}`);
  if (decision.alternatives !== "") {
    lines.push(`  - Alternatives: ${quoteLine(decision.alternatives)}`);
  }
  return lines;
}

function changeLine(change: SnapshotChange): string {
  const { file, action, count, first_line: first, last_line: last } = change;
  const lines = first === null
    ? ""
    : `:${first}${last === null || last === first ? "" : `-${last}`}`;
  const what = change.what === "" ? "" : `: ${quoteLine(change.what)}`;
  const times = count === 1 ? "" : ` ${count} times`;
  return `- [${quoteLine(file)}${lines}] ${action}${times}${what}`;
}
