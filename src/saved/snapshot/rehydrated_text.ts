/**
 * Words a snapshot at one of three levels of detail.
 *
 * @module
 */

import { fitSections } from "../checkpoint/fit_sections.ts";
import { quoteItem, quoteLine, quoteText } from "../checkpoint/plain_markdown.ts";
import type { ContextSnapshot, KeyDecision, SnapshotChange, SnapshotContent } from "./snapshot.ts";

/** How much of a snapshot is restored, from the least to the most. */
export const REHYDRATION_LEVELS: readonly ["essential", "standard", "comprehensive"] = Object
  .freeze(["essential", "standard", "comprehensive"]);

/** One of {@linkcode REHYDRATION_LEVELS}. */
export type RehydrationLevel = typeof REHYDRATION_LEVELS[number];

/** Words a snapshot as Markdown. Without a bound each level says all that the one before does. */
export function rehydratedText(
  snapshot: ContextSnapshot,
  level: RehydrationLevel,
  maxChars: number = Infinity,
): string {
  const detail = REHYDRATION_LEVELS.indexOf(level);
  const isFull = detail >= REHYDRATION_LEVELS.indexOf("comprehensive");
  const sections = [
    { heading: "## Original Requirements", items: requirementItems(snapshot) },
    { heading: "## Current State", items: stateLines(snapshot) },
  ];
  if (detail >= REHYDRATION_LEVELS.indexOf("standard")) {
    const decisions = snapshot.key_decisions.flatMap((one) => decisionLines(one, isFull));
    sections.push(
      { heading: "## Open Items", items: snapshot.open_items.map(quoteItem) },
      { heading: "## Key Decisions", items: decisions },
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
  const title = `# Restored Context: ${quoteLine(snapshot.name ?? snapshot.snapshot_id)}`;
  return `${fitSections(title, sections, maxChars - 1)}\n`;
}

/** Words what the user asked for, first and later. */
export function requirementItems(content: SnapshotContent): string[] {
  const first = quoteText(content.original_requirements);
  const later = content.later_requirements.map(quoteItem);
  if (later[0] !== undefined) later[0] = `${first === "" ? "" : "\n"}Later:\n${later[0]}`;
  return first === "" ? later : [first, ...later];
}

/** Words how far the work is, with phase and task. */
export function stateLines(content: SnapshotContent): string[] {
  const { phase_state: phase, active_task: task } = content;
  const lines = [
    phase === null ? "" : `Phase ${phase.phase_number} - ${quoteLine(phase.phase_name)}`,
    task === null ? "" : `Task ${quoteLine(task.plan_id)} (${quoteLine(task.status)})`,
    ...quoteText(content.implementation_state).split("\n"),
  ];
  return lines.filter((line) => line !== "");
}

/** Words what was changed, file by file, and the commits. */
export function changeLines(content: SnapshotContent): string[] {
  const commits = content.commits.map(({ hash, message }) =>
    quoteItem(`commit ${hash === "" ? "" : `${hash} `}${quoteLine(message)}`)
  );
  return [...content.changes.map(changeLine), ...commits];
}

/** Words a decision. */
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
