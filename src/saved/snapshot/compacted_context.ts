/** A compacted context: the content of a snapshot, named as programs in TypeScript name things. */

import { openSteps } from "./open_steps.ts";
import type {
  ContextSnapshot,
  KeyDecision,
  SnapshotChange,
  SnapshotCommit,
  SnapshotContent,
  Step,
} from "./snapshot.ts";
import type { SnapshotTrail } from "./trail.ts";

/** What is left of a session's context once it is compacted to its core. */
export interface CompactedContext {
  /** The session; null where that is not known. */
  readonly sessionId: string | null;
  /** What the user asked for first. */
  readonly originalRequirements: string;
  /** What the user added or changed later, oldest first. */
  readonly laterRequirements: readonly string[];
  /** How far the work is, in a few lines. */
  readonly implementationState: string;
  /** The phase of the project's plan; null where there is no plan. */
  readonly phaseState: { readonly phaseNumber: number; readonly phaseName: string } | null;
  /** The plan that was being worked on; null where there is none. */
  readonly activeTask: { readonly planId: string; readonly status: string } | null;
  /** What is unresolved, newest first. */
  readonly issues: readonly string[];
  /** Decisions, newest first. */
  readonly decisions: readonly KeyDecision[];
  /** What was found out, newest first. */
  readonly learnings: readonly string[];
  /** The last todo list, or what was said to come next. */
  readonly nextSteps: readonly Step[];
  /** What was done to files, the file changed last first. */
  readonly changes: readonly SnapshotChange[];
  /** Commits, newest first. */
  readonly commits: readonly SnapshotCommit[];
  /** The names of the tools, the most used first. */
  readonly toolsUsed: readonly string[];
  /** Where it stopped and how it went; missing where nobody looked. */
  readonly trail?: SnapshotTrail;
  /** The tokens in the session's context; null where nothing tells. */
  readonly originalTokens: number | null;
  /** The tokens of the compacted context as text, estimated; null where nobody counted. */
  readonly compactedTokens: number | null;
  /** The second by the first, at most 1; null where either is not known. */
  readonly compressionRatio: number | null;
  /** The snapshot that it was restored from; null before it is saved. */
  readonly snapshotId: string | null;
  /** The name of that snapshot. */
  readonly name: string | null;
  /** When that snapshot was saved, ISO 8601. */
  readonly timestamp: string | null;
}

export function compactedOf(content: SnapshotContent | ContextSnapshot): CompactedContext {
  const { phase_state: phase, active_task: task } = content;
  const isSaved = "snapshot_id" in content;
  return {
    sessionId: content.session_id,
    originalRequirements: content.original_requirements,
    laterRequirements: content.later_requirements,
    implementationState: content.implementation_state,
    phaseState: phase === null
      ? null
      : { phaseNumber: phase.phase_number, phaseName: phase.phase_name },
    activeTask: task === null ? null : { planId: task.plan_id, status: task.status },
    issues: issuesOf(content),
    decisions: content.key_decisions,
    learnings: content.learnings,
    nextSteps: content.next_steps,
    changes: content.changes,
    commits: content.commits,
    toolsUsed: content.tools_used,
    ...(content.trail === undefined ? {} : { trail: content.trail }),
    originalTokens: content.original_tokens,
    compactedTokens: content.compacted_tokens,
    compressionRatio: content.compression_ratio,
    snapshotId: isSaved ? content.snapshot_id : null,
    name: isSaved ? content.name : null,
    timestamp: isSaved ? content.timestamp : null,
  };
}

/** Words a compacted context as the content of a snapshot: the other way round. */
export function contentOfCompacted(compacted: CompactedContext): SnapshotContent {
  const { phaseState: phase, activeTask: task } = compacted;
  return {
    session_id: compacted.sessionId,
    original_requirements: compacted.originalRequirements,
    later_requirements: compacted.laterRequirements,
    key_decisions: compacted.decisions,
    implementation_state: compacted.implementationState,
    open_items: [...compacted.issues, ...openSteps(compacted.nextSteps)],
    next_steps: compacted.nextSteps,
    tools_used: compacted.toolsUsed,
    changes: compacted.changes,
    commits: compacted.commits,
    phase_state: phase === null
      ? null
      : { phase_number: phase.phaseNumber, phase_name: phase.phaseName },
    active_task: task === null ? null : { plan_id: task.planId, status: task.status },
    learnings: compacted.learnings,
    ...(compacted.trail === undefined ? {} : { trail: compacted.trail }),
    original_tokens: compacted.originalTokens,
    compacted_tokens: compacted.compactedTokens,
    compression_ratio: compacted.compressionRatio,
  };
}

/** Open items are issues, then the open steps; a file that a person changed may have them mixed. */
function issuesOf(content: SnapshotContent): readonly string[] {
  const { open_items } = content;
  const steps = openSteps(content.next_steps);
  const start = open_items.length - steps.length;
  const isTail = start >= 0 && steps.every((step, i) => open_items[start + i] === step);
  return isTail ? open_items.slice(0, start) : open_items.filter((item) => !steps.includes(item));
}
