/** Renders a save as a Markdown document: at three levels of detail, and as the prompt of a fresh start. */

import { quoteItem, quoteLine } from "../../inject/plain_markdown.ts";
import {
  type ContextSnapshot,
  issuesOf,
  openSteps,
  type SnapshotContent,
  workOf,
} from "../save.ts";
import { layout, type SkinName } from "../../layout/layout.ts";

/** Levels of detail of a restored snapshot, from least to most. */
export const REHYDRATION_LEVELS: readonly ["essential", "standard", "comprehensive"] = Object
  .freeze(["essential", "standard", "comprehensive"]);

/** One of {@linkcode REHYDRATION_LEVELS}. */
export type RehydrationLevel = typeof REHYDRATION_LEVELS[number];

export const NO_SNAPSHOT = "# No context snapshot available\n\nStarting fresh session.";

const INSTRUCTIONS_SHARE = 1 / 3;

const GAP = "\n\n";

export function requireLevel(level: unknown): asserts level is RehydrationLevel {
  if (REHYDRATION_LEVELS.some((one) => one === level)) return;
  throw new RangeError(
    `Cannot rehydrate: the level is ${JSON.stringify(level)}, ` +
      `expected ${REHYDRATION_LEVELS.join(", ")}`,
  );
}

export function rehydratedText(
  save: ContextSnapshot,
  level: RehydrationLevel,
  maxChars: number = Infinity,
): string {
  const title = `# Restored Context: ${quoteLine(save.name ?? save.snapshot_id)}`;
  return `${withTitle(title, save, level, maxChars - 1)}\n`;
}

export function compactedText(
  save: SnapshotContent | ContextSnapshot,
  maxChars = Infinity,
): string {
  const name = "name" in save ? save.name ?? save.snapshot_id : null;
  const title = `# Compacted Context${name === null ? "" : `: ${quoteLine(name)}`}`;
  return withTitle(title, save, "compacted", maxChars);
}

function withTitle(
  title: string,
  save: SnapshotContent & Pick<ContextSnapshot, "project">,
  skin: SkinName,
  maxChars: number,
): string {
  const room = Math.max(0, maxChars - title.length - GAP.length);
  const { text } = layout(workOf(save), { skin, room, projectDir: save.project ?? "" });
  return text === "" ? title : title + GAP + text;
}

export function freshStartTexts(
  save: SnapshotContent | ContextSnapshot,
  maxChars = Infinity,
): { readonly prompt: string; readonly instructions: string } {
  let issues = issuesOf(save);
  let instructions = resumeInstructions(save, issues);
  while (instructions.length > maxChars * INSTRUCTIONS_SHARE && issues.length > 0) {
    issues = issues.slice(0, -1);
    instructions = resumeInstructions(save, issues);
  }
  const room = maxChars - instructions.length - GAP.length;
  return { prompt: compactedText(save, room), instructions };
}

export function resumeInstructions(
  save: SnapshotContent,
  issues: readonly string[] = issuesOf(save),
): string {
  const { phase_state: phase, active_task: task } = save;
  const step = save.next_steps.findLast(({ status }) => status === "in_progress")?.step ??
    openSteps(save)[0];
  const start = phase !== null
    ? `Continue from Phase ${phase.phase_number} - ${quoteLine(phase.phase_name)}`
    : step !== undefined
    ? `Continue from: ${quoteLine(step)}`
    : "Continue from the current state above";
  const action = phase !== null || task !== null
    ? "Read the current PLAN.md and continue execution."
    : step !== undefined
    ? "Start with the step above, then continue with those after it."
    : issues.length > 0
    ? "Resolve the issues above."
    : "Ask what to do next.";
  return [
    "## Resume Instructions",
    "",
    start,
    ...(task === null
      ? []
      : [`Current task: ${quoteLine(task.plan_id)} (${quoteLine(task.status)})`]),
    ...(issues.length === 0 ? [] : ["", "**Unresolved issues to address:**"]),
    ...issues.map(quoteItem),
    "",
    `**Next action:** ${action}`,
  ].join("\n");
}
