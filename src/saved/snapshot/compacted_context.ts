/** A compacted context: the content of a snapshot under the names that the designs give it. */

import {
  type ContextSnapshot,
  issuesOf,
  type KeyDecision,
  type SnapshotContent,
} from "./snapshot.ts";

/** What is left of a session's context once it is compacted to its core. */
export interface CompactedContext {
  /** What is kept, as it is saved: everything else here is a view of it. */
  readonly snapshot: SnapshotContent | ContextSnapshot;
  /** The phase of the project's plan; null where there is no plan. */
  readonly phaseState: { readonly phaseNumber: number; readonly phaseName: string } | null;
  /** The plan that was being worked on; null where there is none. */
  readonly activeTask: { readonly planId: string; readonly status: string } | null;
  /** Unresolved items, newest first. */
  readonly issues: readonly string[];
  /** Decisions, newest first. */
  readonly decisions: readonly KeyDecision[];
  /** Findings, newest first. */
  readonly learnings: readonly string[];
  /** The tokens in the session's context; null where nothing tells. */
  readonly originalTokens: number | null;
  /** The tokens of the compacted context as text, estimated; null where nobody counted. */
  readonly compactedTokens: number | null;
  /** The second by the first, at most 1; null where either is not known. */
  readonly compressionRatio: number | null;
  /** The snapshot that it was restored from; null before it is saved. */
  readonly snapshotId: string | null;
}

export function compactedOf(snapshot: SnapshotContent | ContextSnapshot): CompactedContext {
  const { phase_state: phase, active_task: task } = snapshot;
  return {
    snapshot,
    phaseState: phase && { phaseNumber: phase.phase_number, phaseName: phase.phase_name },
    activeTask: task && { planId: task.plan_id, status: task.status },
    issues: issuesOf(snapshot),
    decisions: snapshot.key_decisions,
    learnings: snapshot.learnings,
    originalTokens: snapshot.original_tokens,
    compactedTokens: snapshot.compacted_tokens,
    compressionRatio: snapshot.compression_ratio,
    snapshotId: "snapshot_id" in snapshot ? snapshot.snapshot_id : null,
  };
}
