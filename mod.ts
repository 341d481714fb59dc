/**
 * trimtab keeps a Claude Code session's context window healthy. This is the library behind its
 * commands, skills and hooks: it reads real transcripts, tells how full the window is, writes smaller
 * copies that the client resumes, saves what must survive and brings it back.
 *
 * A function whose documentation names no permissions needs none.
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

export * from "./src/config.ts";
export { type EnvReader } from "./src/store/paths.ts";
export { type AtomicFile, type AtomicFileSystem } from "./src/store/atomic.ts";
export { type StreamFile, type StreamFileSystem } from "./src/store/atomic_stream.ts";
export {
  findCurrentSessionFile,
  type FindOptions,
  findSession,
  type FoundSession,
  isSessionId,
  SessionNotFoundError,
} from "./src/transcript/find.ts";
export { getContextPercentageFromFile } from "./src/pressure/percent.ts";
export {
  type SearchMatch,
  type SearchQuery,
  type SearchRole,
  searchTranscript,
} from "./src/transcript/search/search.ts";
export {
  SearchPattern,
  type SearchPatternOptions,
  type TextMatch,
} from "./src/transcript/search/pattern.ts";
export { readTailUsage, type TailUsage } from "./src/transcript/tokens/tail_usage.ts";
export { type SessionUsage } from "./src/transcript/tokens/usage.ts";
export {
  type ContextWindow,
  resolveWindow,
  type WindowClues,
  type WindowSource,
} from "./src/transcript/tokens/window.ts";
export { estimateTextTokens } from "./src/transcript/tokens/tokens.ts";
export {
  type ContextAction,
  ContextManager,
  type ContextManagerOptions,
} from "./src/pressure/context_manager.ts";
export {
  type ContextEstimate,
  type ContextEstimatePart,
  type ContextMetric,
  type ContextMetrics,
  estimateContextUsage,
  explainContextUsage,
} from "./src/pressure/heuristics.ts";
export { type CountedMetrics, gatherMetrics } from "./src/pressure/metrics.ts";
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
} from "./src/pressure/ladder.ts";
export {
  DEFAULT_MAX_TOKENS,
  type MonitorRecommendation,
  THRESHOLDS,
  TokenMonitor,
  type UsageStats,
} from "./src/pressure/token_monitor.ts";
export {
  generatePlaceholder,
  isAlreadyMasked,
  MASKED_MARKER,
  type PlaceholderOptions,
} from "./src/trim/placeholder.ts";
export {
  type AgentMessage,
  generateMaskNotification,
  maskOldestObservations,
  type MaskOptions,
  type MaskResult,
  type ToolCall,
} from "./src/api/mask_messages.ts";
export {
  injectTrimMetadata,
  trimSessionFile,
  type TrimSessionFileOptions,
  type TrimStats,
  updateSessionIdInFile,
} from "./src/api/session_file.ts";
export { buildToolNameMapping } from "./src/trim/tool_names.ts";
export {
  type BeforeAfter,
  type ContextUsage,
  type ExplainedCut,
  type ToolNameList,
  type ToolSavings,
  type TrimDepth,
  type TrimOptions,
  type TrimResult,
  type TrimStyle,
  trimTranscript,
} from "./src/trim/trim_transcript.ts";
export { truncateContent, type TruncateOptions } from "./src/trim/truncate.ts";
export {
  AutoCompactionManager,
  type AutoCompactionManagerOptions,
  type AutoCompactionOptions,
  createAutoCompactionManager,
  triggerAutoCompaction,
} from "./src/api/auto_compaction.ts";
export {
  collectContext,
  type CollectContextOptions,
  type CollectedContext,
} from "./src/saved/snapshot/collect_context.ts";
export {
  type CompactInput,
  type CompactOptions,
  compactWithCoreInfo,
  type SaveContextOptions,
  saveContextSnapshot,
} from "./src/saved/snapshot/compact.ts";
export { type CompactedContext } from "./src/saved/snapshot/compacted_context.ts";
export { formatCompactedContext, type FormatOptions } from "./src/saved/snapshot/compacted_text.ts";
export { ContextExtractor, type SnapshotMakerOptions } from "./src/api/context_extractor.ts";
export { contextManagementSkill } from "./src/api/context_management_skill.ts";
export { ContextRehydrator, type ListedSnapshot } from "./src/api/context_rehydrator.ts";
export { emitEvent, type EmitEventOptions, type TrimtabEvent } from "./src/api/events.ts";
export {
  type FreshStartContext,
  type FreshStartOptions,
  generateResumeInstructions,
  injectCompactedContext,
  prepareFreshStart,
} from "./src/saved/snapshot/fresh_start.ts";
export {
  ContextManagementOrchestrator,
  type ContextSkillAction,
  type ContextSkillArgs,
  type ContextSkillResults,
  type ListResult,
  type OrchestratorOptions,
  type SnapshotResult,
  type StatusResult,
} from "./src/api/orchestrator.ts";
export {
  type PlanningState,
  readPlanning,
  type SnapshotPhase,
  type SnapshotTask,
} from "./src/extract/planning.ts";
export { REHYDRATION_LEVELS, type RehydrationLevel } from "./src/saved/snapshot/rehydrated_text.ts";
export {
  type ContextSnapshot,
  type KeyDecision,
  type SnapshotChange,
  type SnapshotCommit,
  type SnapshotContent,
  type SnapshotExtras,
  snapshotOf,
  type SnapshotTrail,
  type Step,
} from "./src/saved/snapshot/snapshot.ts";
export { checkSnapshot, SNAPSHOT_SCHEMA_VERSION } from "./src/saved/snapshot/check.ts";
export { findSnapshot, listSnapshotFiles, type SnapshotFile } from "./src/saved/snapshot/list.ts";
export { restoreContext } from "./src/saved/snapshot/restore_context.ts";
export { readSnapshot, SnapshotNotFoundError } from "./src/saved/snapshot/read.ts";
export { SNAPSHOT_DIR, snapshotFolder, type SnapshotPlace } from "./src/saved/snapshot/place.ts";
export {
  type SavedSnapshot,
  saveSnapshot,
  type SaveSnapshotOptions,
} from "./src/saved/snapshot/store.ts";
export * from "./src/extract/work_state.ts";
export { renderCheckpoint, type RenderOptions } from "./src/saved/checkpoint/checkpoint.ts";
export { type CheckpointMeta, type CheckpointTrigger } from "./src/saved/checkpoint/parse.ts";
export {
  type CheckpointRow,
  findCheckpoint,
  type FoundCheckpoint,
  listCheckpoints,
} from "./src/saved/checkpoint/files.ts";
export {
  saveCheckpoint,
  saveCheckpoint as writeCheckpoint,
  type SavedCheckpoint,
  type SaveOptions,
} from "./src/saved/checkpoint/store.ts";
export {
  extractFromEntries,
  type ExtractOptions,
  extractState,
} from "./src/extract/extract_state.ts";
export { redactSecrets } from "./src/secrets/redact.ts";
export {
  resumeContext,
  type ResumeOptions,
  type ResumeView,
} from "./src/saved/checkpoint/resume_context.ts";
export { type ApiUsage, type Entry, type JsonObject } from "./src/transcript/entry.ts";
export { type NumberedEntry } from "./src/extract/session_events.ts";
export { type CheckpointVerdict, verifyCheckpoint } from "./src/saved/checkpoint/verify.ts";
export { type AvailableClues, getAvailableContext } from "./src/plan/available.ts";
export { batchTasksByContext } from "./src/plan/batches.ts";
export { type ComplexityKeyword } from "./src/plan/complexity.ts";
export { describeEstimate, estimateTaskTokens, type TaskEstimate } from "./src/plan/estimate.ts";
export { splitByFileGroups, type SplitOptions } from "./src/plan/file_groups.ts";
export { type MeasureOptions } from "./src/plan/measure.ts";
export { splitTaskForContext } from "./src/plan/split.ts";
export { type BatchTask, BUDGET_WARNING } from "./src/plan/task.ts";
export {
  type BatchedWorkflow,
  type BatchNode,
  type CheckpointNode,
  createBatchedWorkflow,
  type WorkflowEdge,
  type WorkflowOptions,
} from "./src/plan/workflow.ts";
export { buildContinuationPrompt, type ContinuationOptions } from "./src/lineage/continuation.ts";
export {
  createSession,
  endSession,
  getCurrentSessionNumber,
  lineageOf,
  listSessions,
  UnknownSessionError,
  type WrittenSession,
} from "./src/lineage/lineage.ts";
export { type EndSessionOptions } from "./src/lineage/change.ts";
export { type LineageOptions } from "./src/lineage/file.ts";
export { type CreateSessionOptions } from "./src/lineage/input.ts";
export { END_REASONS, type EndReason, type SessionRecord } from "./src/lineage/session_record.ts";
export {
  CONTEXT_MANAGEMENT_INSTRUCTIONS,
  contextManagementInstructions,
  generatePrompt,
  type ThresholdConfig,
  type WorkerPromptOptions,
} from "./src/lineage/worker_prompt.ts";
export { type BoardMessage } from "./src/watch/blackboard.ts";
export { type CheckpointReason } from "./src/watch/needs_checkpoint.ts";
export { triggerCheckpoint, type TriggerOptions } from "./src/watch/trigger.ts";
export {
  type CheckSummary,
  type DoctorFinding,
  type DoctorOptions,
  type DoctorReport,
  needsCare,
  runDoctor,
} from "./src/doctor/doctor.ts";
export { type Probe } from "./src/doctor/check.ts";
export { type DiskReport, type DiskUse } from "./src/doctor/debris.ts";
export {
  FINDING_KINDS,
  type FindingId,
  type FindingKind,
  type FindingLevel,
} from "./src/doctor/finding_kinds.ts";
export { type LiveStats, type LiveTotals, readLiveStats } from "./src/live/live_log.ts";
export { type ShapedText, type ShapeKind, shapeText } from "./src/live/shape_text.ts";
export {
  type ContentGroup,
  type ContentKind,
  type ContentShare,
  type ContextContents,
  type LargeEntry,
} from "./src/report/contents.ts";
export { type FamilyMember } from "./src/report/family.ts";
export { type ReportFile, type ReportFiles, type ReportUse } from "./src/report/files_over_time.ts";
export { reportPage } from "./src/report/page.ts";
export {
  type ComparedSession,
  type ProjectReport,
  projectReport,
  type ProjectReportOptions,
} from "./src/report/project_report.ts";
export { type ReportMark, type ReportRequest, type RequestCost } from "./src/report/requests.ts";
export {
  type ReportTrimOptions,
  type SessionHistory,
  type SessionReport,
  sessionReport,
  type SessionReportOptions,
} from "./src/report/session_report.ts";
export { type ReportTurn } from "./src/report/turns.ts";
export { type AnyPressure } from "./src/pressure/any_pressure.ts";
export { type SessionPressure, type UsageSource } from "./src/pressure/judge.ts";
export {
  trimSession,
  type TrimSessionOptions,
  type TrimSessionResult,
} from "./src/trim/trim_session.ts";
export { type SettingsPlace } from "./src/pressure/compaction_settings.ts";
export { type OwnedFiles } from "./src/trim/owned.ts";
export { type TrimWorth } from "./src/trim/worth.ts";
export { type OwnKind } from "./src/clean/own_files.ts";
export { type DigestSizes, type NeedReason, type NeedRules } from "./src/core/need.ts";
export { type SystemShare } from "./src/report/system_shares.ts";
export { type LimitKind } from "./src/pressure/limit.ts";
export { type WaitingValue } from "./src/config/cache_format.ts";
export { VERSION } from "./src/version.ts";
