/**
 * trimtab keeps a Claude Code session's context window healthy. This is the library behind its
 * commands, skills and hooks: it reads real transcripts, tells how full the window is, and writes
 * smaller copies that the client resumes.
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
export { type AtomicFile } from "./src/store/atomic.ts";
export { type StreamFile, type StreamFileSystem } from "./src/store/atomic_stream.ts";
export {
  findCurrentSessionFile,
  type FindOptions,
  findSession,
  type FoundSession,
  isSessionId,
  SessionNotFoundError,
} from "./src/transcript/find.ts";
export { getContextPercentageFromFile } from "./src/transcript/percent.ts";
export { readTailUsage, type TailUsage } from "./src/transcript/tail_usage.ts";
export { type SessionUsage } from "./src/transcript/usage.ts";
export {
  type ContextWindow,
  resolveWindow,
  type WindowClues,
  type WindowSource,
} from "./src/transcript/window.ts";
export { estimateTextTokens } from "./src/transcript/tokens.ts";
export {
  type ContextAction,
  ContextManager,
  type ContextManagerOptions,
} from "./src/pressure/context_manager.ts";
export { type ContextMetrics, estimateContextUsage } from "./src/pressure/heuristics.ts";
export { type MonitorLevel } from "./src/pressure/ladder.ts";
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
} from "./src/trim/mask_messages.ts";
export {
  injectTrimMetadata,
  trimSessionFile,
  type TrimSessionFileOptions,
  type TrimStats,
  updateSessionIdInFile,
} from "./src/trim/session_file.ts";
export { buildToolNameMapping } from "./src/trim/tool_names.ts";
export {
  type BeforeAfter,
  type ToolSavings,
  type TrimDepth,
  type TrimOptions,
  type TrimResult,
  type TrimStyle,
  trimTranscript,
} from "./src/trim/trim_transcript.ts";
export { truncateContent, type TruncateOptions } from "./src/trim/truncate.ts";
export { VERSION } from "./src/version.ts";
