/**
 * The names that the documents behind trimtab fix, and the functions around them.
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

export * from "../config.ts";
export { type EnvReader } from "../store/paths.ts";
export { type AtomicFile, type AtomicFileSystem } from "../store/atomic.ts";
export { type StreamFile, type StreamFileSystem } from "../store/atomic_stream.ts";
export {
  findCurrentSessionFile,
  type FindOptions,
  findSession,
  type FoundSession,
  isSessionId,
  SessionNotFoundError,
} from "../transcript/find.ts";
export { getContextPercentageFromFile } from "../pressure/percent.ts";
export {
  type SearchMatch,
  type SearchQuery,
  type SearchRole,
  searchTranscript,
} from "../transcript/search/search.ts";
export {
  SearchPattern,
  type SearchPatternOptions,
  type TextMatch,
} from "../transcript/search/pattern.ts";
export { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
export { type SessionUsage } from "../transcript/tokens/usage.ts";
export {
  type ContextWindow,
  resolveWindow,
  type WindowClues,
  type WindowSource,
} from "../transcript/tokens/window.ts";
export { estimateTextTokens } from "../transcript/tokens/tokens.ts";
export {
  type ContextAction,
  ContextManager,
  type ContextManagerOptions,
} from "../pressure/context_manager.ts";
export {
  type ContextEstimate,
  type ContextEstimatePart,
  type ContextMetric,
  type ContextMetrics,
  estimateContextUsage,
  explainContextUsage,
} from "../pressure/heuristics.ts";
export { type CountedMetrics, gatherMetrics } from "../pressure/metrics.ts";
export {
  AGENT_LADDER,
  type AgentLevel,
  createLadder,
  type Ladder,
  type LadderStep,
  levelAt,
  MONITOR_LADDER,
  type MonitorLevel,
  WARNING_LADDER,
  warningLadder,
  type WarningLevel,
} from "../pressure/ladder.ts";
export {
  DEFAULT_MAX_TOKENS,
  type MonitorRecommendation,
  THRESHOLDS,
  TokenMonitor,
  type UsageStats,
} from "../pressure/token_monitor.ts";
export {
  generatePlaceholder,
  isAlreadyMasked,
  MASKED_MARKER,
  type MaskedPlace,
  type PlaceholderOptions,
} from "../trim/placeholder.ts";
export {
  type AgentMessage,
  generateMaskNotification,
  maskOldestObservations,
  type MaskOptions,
  type MaskResult,
  type ToolCall,
} from "./mask_messages.ts";
export {
  injectTrimMetadata,
  trimSessionFile,
  type TrimSessionFileOptions,
  type TrimStats,
  updateSessionIdInFile,
} from "./session_file.ts";
export { buildToolNameMapping } from "../trim/tool_names.ts";
export {
  type BeforeAfter,
  type ContextUsage,
  type ExplainedCut,
  type ToolNameList,
  type ToolSavings,
  type TrimCounts,
  type TrimDepth,
  type TrimOptions,
  type TrimRequest,
  type TrimStyle,
  trimTranscript,
} from "../trim/trim_transcript.ts";
export { truncateContent, type TruncateOptions } from "../trim/truncate.ts";
export {
  AutoCompactionManager,
  type AutoCompactionManagerOptions,
  type AutoCompactionOptions,
  createAutoCompactionManager,
  triggerAutoCompaction,
} from "./auto_compaction.ts";
export {
  collectContext,
  type CollectContextOptions,
  type CollectedContext,
} from "../saved/snapshot/collect_context.ts";
export {
  type CompactInput,
  type CompactOptions,
  compactWithCoreInfo,
  type SaveContextOptions,
  saveContextSnapshot,
} from "../saved/snapshot/compact.ts";
export { type CompactedContext } from "../saved/snapshot/compacted_context.ts";
export { formatCompactedContext, type FormatOptions } from "../saved/snapshot/compacted_text.ts";
export { ContextExtractor, type SnapshotMakerOptions } from "./context_extractor.ts";
export { contextManagementSkill } from "./context_management_skill.ts";
export { ContextRehydrator, type ListedSnapshot } from "./context_rehydrator.ts";
export { emitEvent, type EmitEventOptions, type TrimtabEvent } from "./events.ts";
export {
  type FreshStartContext,
  type FreshStartOptions,
  generateResumeInstructions,
  injectCompactedContext,
  prepareFreshStart,
} from "../saved/snapshot/fresh_start.ts";
export {
  ContextManagementOrchestrator,
  type ContextSkillAction,
  type ContextSkillArgs,
  type ContextSkillResults,
  type ListResult,
  type OrchestratorOptions,
  type SnapshotResult,
  type StatusResult,
} from "./orchestrator.ts";
export {
  type PlanningState,
  readPlanning,
  type SnapshotPhase,
  type SnapshotTask,
} from "../extract/planning.ts";
export { REHYDRATION_LEVELS, type RehydrationLevel } from "../saved/snapshot/rehydrated_text.ts";
export {
  type ContextSnapshot,
  type KeyDecision,
  type Placed,
  type SaveReason,
  type SnapshotChange,
  type SnapshotCommit,
  type SnapshotContent,
  type SnapshotExtras,
  snapshotOf,
  type SnapshotOrigins,
  type SnapshotTrail,
  type Step,
} from "../saved/snapshot/snapshot.ts";
export { checkSnapshot, SNAPSHOT_SCHEMA_VERSION } from "../saved/snapshot/check.ts";
export { findSnapshot, listSnapshotFiles, type SnapshotFile } from "../saved/snapshot/list.ts";
export { restoreContext } from "../saved/snapshot/restore_context.ts";
export { readSnapshot, SnapshotNotFoundError } from "../saved/snapshot/read.ts";
export { SNAPSHOT_DIR, snapshotFolder, type SnapshotPlace } from "../saved/snapshot/place.ts";
export {
  type SavedSnapshot,
  saveSnapshot,
  type SaveSnapshotOptions,
} from "../saved/snapshot/store.ts";
export * from "../extract/work_state.ts";
export { renderCheckpoint, type RenderOptions } from "../saved/checkpoint/checkpoint.ts";
export { type CheckpointMeta } from "../saved/checkpoint/meta.ts";
export {
  type CheckpointRow,
  findCheckpoint,
  type FoundCheckpoint,
  listCheckpoints,
} from "../saved/checkpoint/files.ts";
export {
  saveCheckpoint,
  saveCheckpoint as writeCheckpoint,
  type SavedCheckpoint,
  type SaveOptions,
} from "../saved/checkpoint/store.ts";
export { extractFromEntries, type ExtractOptions, extractState } from "../extract/extract_state.ts";
export { redactSecrets } from "../secrets/redact.ts";
export { resumeContext, type ResumeOptions } from "../saved/checkpoint/resume_context.ts";
export { type ApiUsage, type Entry, type JsonObject } from "../transcript/entry.ts";
export { type NumberedEntry } from "../extract/session_events.ts";
export { type CheckpointVerdict, verifyCheckpoint } from "../saved/checkpoint/verify.ts";
export { type AvailableClues, getAvailableContext } from "../plan/available.ts";
export { batchTasksByContext } from "../plan/batches.ts";
export { type ComplexityKeyword } from "../plan/complexity.ts";
export { describeEstimate, estimateTaskTokens, type TaskEstimate } from "../plan/estimate.ts";
export { splitByFileGroups, type SplitOptions } from "../plan/file_groups.ts";
export { type MeasureOptions } from "../plan/measure.ts";
export { splitTaskForContext } from "../plan/split.ts";
export { type BatchTask, BUDGET_WARNING } from "../plan/task.ts";
export {
  type BatchedWorkflow,
  type BatchNode,
  type CheckpointNode,
  createBatchedWorkflow,
  type WorkflowEdge,
  type WorkflowOptions,
} from "../plan/workflow.ts";
export { buildContinuationPrompt, type ContinuationOptions } from "../lineage/continuation.ts";
export {
  createSession,
  endSession,
  getCurrentSessionNumber,
  lineageOf,
  listSessions,
  UnknownSessionError,
  type WrittenSession,
} from "../lineage/lineage.ts";
export { type EndSessionOptions } from "../lineage/change.ts";
export { type LineageOptions } from "../lineage/file.ts";
export { type CreateSessionOptions } from "../lineage/input.ts";
export { END_REASONS, type EndReason, type SessionRecord } from "../lineage/session_record.ts";
export {
  CONTEXT_MANAGEMENT_INSTRUCTIONS,
  contextManagementInstructions,
  generatePrompt,
  type ThresholdConfig,
  type WorkerPromptOptions,
} from "../lineage/worker_prompt.ts";
export { type CheckpointReason } from "../events/needs_checkpoint.ts";
export { type CheckpointRequest } from "../watch/blackboard.ts";
export { triggerCheckpoint, type TriggerOptions } from "../watch/trigger.ts";
export {
  type CheckSummary,
  type DoctorFinding,
  type DoctorOptions,
  type DoctorReport,
  needsCare,
  runDoctor,
} from "../doctor/check/doctor.ts";
export { type Probe } from "../doctor/check/check.ts";
export { type DiskReport, type DiskUse } from "../doctor/check/debris.ts";
export {
  FINDING_KINDS,
  type FindingId,
  type FindingKind,
  type FindingLevel,
} from "../doctor/check/finding_kinds.ts";
export { type LiveStats, type LiveTotals, readLiveStats } from "../live/live_log.ts";
export { type ShapedText, type ShapeKind, shapeText } from "../live/shape_text.ts";
export {
  type ContentGroup,
  type ContentKind,
  type ContentShare,
  type ContextContents,
  type LargeEntry,
} from "../report/contents.ts";
export { type FamilyMember } from "../report/family.ts";
export { type ReportFile, type ReportFiles, type ReportUse } from "../report/files_over_time.ts";
export { reportPage } from "../report/page.ts";
export {
  type ComparedSession,
  type ProjectReport,
  projectReport,
  type ProjectReportOptions,
} from "../report/project_report.ts";
export { type ReportMark, type ReportRequest, type RequestCost } from "../report/requests.ts";
export {
  type SessionHistory,
  type SessionReport,
  sessionReport,
  type SessionReportOptions,
} from "../report/session_report.ts";
export { type ReportTurn } from "../report/turns.ts";
export { type AnyPressure } from "../pressure/any_pressure.ts";
export { type SessionPressure, type UsageSource } from "../pressure/judge.ts";
export {
  trimSession,
  type TrimSessionOptions,
  type TrimSessionResult,
} from "../trim/trim_session.ts";
export { type SettingsPlace } from "../pressure/compaction_settings.ts";
export { type OwnedFiles } from "../trim/owned.ts";
export { type TrimWorth } from "../trim/worth.ts";
export { type OwnKind } from "../doctor/clean/own_files.ts";
export { type DigestSizes, type NeedReason, type NeedRules } from "../core/need.ts";
export { type SystemShare } from "../report/system_shares.ts";
export { type LimitKind } from "../pressure/limit.ts";
export { type WaitingValue } from "../config/merge.ts";
export { VERSION } from "../version.ts";
