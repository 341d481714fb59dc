/** Data with which a fresh session goes on from a snapshot. */

import type { CompactedContext } from "./compacted_context.ts";
import { formatCompactedContext } from "./compacted_text.ts";
import { quoteItem, quoteLine } from "../../inject/plain_markdown.ts";
import { restoreContext } from "./restore_context.ts";
import type { Step } from "./snapshot.ts";
import type { SnapshotPlace } from "./place.ts";

/** Words for a session that has nothing to go on from. */
export const NO_SNAPSHOT = "# No context snapshot available\n\nStarting fresh session.";

/** With a bound, the instructions take no more than this part of it. */
const INSTRUCTIONS_PART = 1 / 3;

const GAP = "\n\n";

/** Where the snapshots are, and how much may be said. */
export interface FreshStartOptions extends SnapshotPlace {
  /**
   * The most UTF-16 code units of prompt and instructions together; what matters least is left out.
   *
   * @default {Infinity}
   */
  readonly maxChars?: number;
}

/** Text for a fresh session. */
export interface FreshStartContext {
  /** The compacted context as text, for the prompt. */
  readonly prompt: string;
  /** The compacted context. */
  readonly compacted: CompactedContext;
  /** Instructions to go on. */
  readonly instructions: string;
}

/**
 * Prepares a fresh start from a snapshot.
 *
 * Permissions: `--allow-read` for the folder of the snapshots.
 *
 * @param snapshotId `latest` for the newest that can be read, an id, a name or a path; left out,
 * `latest`.
 * @param options Where the snapshots are, and how much may be said.
 * @returns Prompt, compacted context and instructions; null where there is no such snapshot.
 * @throws {Error} When the snapshot cannot be read; see `readSnapshot`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { prepareFreshStart } from "./fresh_start.ts";
 *
 * assertEquals(prepareFreshStart("latest", { projectDir: "/nowhere" }), null);
 * ```
 */
export function prepareFreshStart(
  snapshotId: string = "latest",
  options: FreshStartOptions = {},
): FreshStartContext | null {
  const compacted = restoreContext(snapshotId, options);
  if (compacted === null) return null;
  const { maxChars = Infinity } = options;
  const instructions = shortInstructions(compacted, maxChars * INSTRUCTIONS_PART);
  const room = maxChars - instructions.length - GAP.length;
  return { prompt: formatCompactedContext(compacted, { maxChars: room }), compacted, instructions };
}

/**
 * Words how to go on. Where there is no phase, the step that was open stands in its place.
 *
 * @param compacted The compacted context.
 * @returns Markdown.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo } from "./compact.ts";
 * import { generateResumeInstructions } from "./fresh_start.ts";
 *
 * const compacted = compactWithCoreInfo(collectContext({ transcript: null, planId: "16-03" }));
 * const phaseState = { phaseNumber: 16, phaseName: "Context Compaction" };
 * const text = generateResumeInstructions({ ...compacted, phaseState });
 * assertStringIncludes(text, "Continue from Phase 16 - Context Compaction");
 * ```
 */
export function generateResumeInstructions(compacted: CompactedContext): string {
  const { phaseState: phase, activeTask: task, issues } = compacted;
  const step = lastOpenStep(compacted.snapshot.next_steps);
  const lines = ["## Resume Instructions", ""];
  if (phase !== null) {
    lines.push(`Continue from Phase ${phase.phaseNumber} - ${quoteLine(phase.phaseName)}`);
  } else if (step !== undefined) {
    lines.push(`Continue from: ${quoteLine(step)}`);
  } else {
    lines.push("Continue from the current state above");
  }
  if (task !== null) {
    lines.push(`Current task: ${quoteLine(task.planId)} (${quoteLine(task.status)})`);
  }
  if (issues.length > 0) {
    lines.push("", "**Unresolved issues to address:**", ...issues.map(quoteItem));
  }
  lines.push("", `**Next action:** ${nextAction(compacted, step)}`);
  return lines.join("\n");
}

/**
 * Words all that a fresh session gets, or that there is nothing.
 *
 * Permissions: `--allow-read` for the folder of the snapshots.
 *
 * @param snapshotId `latest` for the newest that can be read, an id, a name or a path; left out,
 * `latest`.
 * @param options Where the snapshots are, and how much may be said.
 * @returns Markdown: the compacted context and the instructions.
 * @throws {Error} When the snapshot cannot be read; see `readSnapshot`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { injectCompactedContext } from "./fresh_start.ts";
 *
 * assertEquals(
 *   injectCompactedContext("latest", { projectDir: "/nowhere" }),
 *   "# No context snapshot available\n\nStarting fresh session.",
 * );
 * ```
 */
export function injectCompactedContext(
  snapshotId: string = "latest",
  options: FreshStartOptions = {},
): string {
  const start = prepareFreshStart(snapshotId, options);
  return start === null ? NO_SNAPSHOT : start.prompt + GAP + start.instructions;
}

/** The prompt has the issues too, so here the newest of them will do. */
function shortInstructions(compacted: CompactedContext, maxChars: number): string {
  let issues = compacted.issues;
  let text = generateResumeInstructions(compacted);
  while (text.length > maxChars && issues.length > 0) {
    issues = issues.slice(0, -1);
    text = generateResumeInstructions({ ...compacted, issues });
  }
  return text;
}

function nextAction(compacted: CompactedContext, step: string | undefined): string {
  if (compacted.phaseState !== null || compacted.activeTask !== null) {
    return "Read the current PLAN.md and continue execution.";
  }
  if (step !== undefined) return "Take up the step above, then those that follow it.";
  if (compacted.issues.length > 0) return "Resolve the issues above.";
  return "Ask what to do next.";
}

/** The one that was being worked on, else the first that is left. */
function lastOpenStep(steps: readonly Step[]): string | undefined {
  const open = steps.findLast(({ status }) => status === "in_progress") ??
    steps.find(({ status }) => status === "pending");
  return open?.step;
}
