/**
 * Exports the names that trimtab's design documents specify, with the types of their options and results.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { truncateContent } from "./mod.ts";
 *
 * const short = truncateContent("a".repeat(2000), {
 *   threshold: 500,
 *   toolName: "Read",
 *   lineNumber: 12,
 *   parentFile: "b82405ba",
 * });
 * assertEquals(short.startsWith("a".repeat(500) + "\n\n[...truncated - original was 2,000 chars"), true);
 * ```
 *
 * @module
 */

export {
  type ContextConfig,
  type InsideConfig,
  type LiveConfig,
  type TrimtabConfig,
} from "../config/schema.ts";
export { type ConfigLayer } from "../config/files.ts";
export { ConfigError, type ConfigProblem, type RetiredKey } from "../config/problem.ts";
export * from "../config/load.ts";
export { type EnvReader } from "../store/paths.ts";
export { type AtomicFile, type AtomicFileSystem } from "../store/atomic.ts";
export { findCurrentSessionFile } from "../transcript/find.ts";
export * from "./percent.ts";
export {
  type ContextAction,
  ContextManager,
  type ContextManagerOptions,
} from "./context_manager.ts";
export * from "../gauge/heuristics.ts";
export { type ThresholdConfig } from "../gauge/ladder.ts";
export * from "./token_monitor.ts";
export { isAlreadyMasked, MASKED_MARKER, type MaskedPlace } from "../trim/placeholder.ts";
export * from "./mask_messages.ts";
export * from "./session_file.ts";
export { truncateContent, type TruncateOptions } from "../trim/remainder.ts";
export * from "./auto_compaction.ts";
export * from "./collect_context.ts";
export {
  type CompactedContext,
  type CompactInput,
  type CompactOptions,
  compactWithCoreInfo,
  formatCompactedContext,
  type FormatOptions,
  type FreshStartContext,
  type FreshStartOptions,
  generateResumeInstructions,
  injectCompactedContext,
  prepareFreshStart,
  restoreContext,
  type SaveContextOptions,
  saveContextSnapshot,
} from "./compacted_context.ts";
export { ContextExtractor, type SnapshotMakerOptions } from "./context_extractor.ts";
export { ContextRehydrator, type ListedSnapshot } from "./context_rehydrator.ts";
export * from "./emit_event.ts";
export { type TrimtabEvent } from "../events/log.ts";
export * from "./orchestrator.ts";
export { type PlanningState, type SnapshotPhase, type SnapshotTask } from "../store/planning.ts";
export { REHYDRATION_LEVELS, type RehydrationLevel } from "../saved/views/rehydrated.ts";
export {
  type CheckpointMeta,
  type ContextSnapshot,
  type KeyDecision,
  type Placed,
  type SaveHandoff,
  type SaveReason,
  type SnapshotChange,
  type SnapshotCommit,
  type SnapshotContent,
  type SnapshotOrigins,
  type SnapshotTrail,
  type Step,
} from "../saved/save.ts";
export { SNAPSHOT_DIR, type SnapshotPlace } from "../saved/store.ts";
export { type SavedSnapshot } from "../saved/snapshot.ts";
export { type SaveSnapshotOptions } from "./save_snapshot.ts";
export {
  type Commit,
  type Count,
  type Decision,
  type FileChange,
  type Issue,
  type NextStep,
  type Origin,
  type Progress,
  type Said,
  type SummedUp,
  type Trail,
  type WorkState,
} from "../core/work_state.ts";
export { type SavedCheckpoint } from "../saved/checkpoint.ts";
export * from "./write_checkpoint.ts";
export { type ExtractOptions, extractState } from "../extract/extract_state.ts";
export * from "../saved/verify.ts";
export { type AvailableClues, getAvailableContext } from "../plan/available.ts";
export { estimateTaskTokens, type MeasureOptions } from "../plan/estimate.ts";
export { splitByFileGroups, type SplitOptions, splitTaskForContext } from "../plan/split.ts";
export { type BatchTask } from "../plan/task.ts";
export {
  type BatchedWorkflow,
  type BatchNode,
  batchTasksByContext,
  type CheckpointNode,
  createBatchedWorkflow,
  type WorkflowEdge,
  type WorkflowOptions,
} from "../plan/batches.ts";
export * from "./continuation_prompt.ts";
export * from "./sessions.ts";
export { type CreateSessionOptions } from "../saved/lineage/sessions.ts";
export {
  type EndReason,
  type EndSessionOptions,
  type LineageOptions,
  type SessionRecord,
} from "../saved/lineage/rows.ts";
export {
  CONTEXT_MANAGEMENT_INSTRUCTIONS,
  generatePrompt,
  type WorkerPromptOptions,
} from "../plan/worker_prompt.ts";
export { type CheckpointReason } from "../store/needs_checkpoint.ts";
export { type CheckpointRequest } from "../watch/blackboard.ts";
export * from "../watch/trigger.ts";
export { type WaitingValue } from "../config/merge.ts";
