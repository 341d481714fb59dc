// Names that the designs specify, and that other programs use.

import type * as trimtab from "../../src/designs/mod.ts";
import "../own_config.ts";

export const NAMES: Readonly<Record<string, readonly string[]>> = {
  "trimming and rollover": wordsOf(`
    loadContextConfig getContextPercentageFromFile truncateContent buildToolNameMapping
    trimSessionFile findCurrentSessionFile injectTrimMetadata updateSessionIdInFile
    generatePrompt CONTEXT_MANAGEMENT_INSTRUCTIONS createSession endSession
    getCurrentSessionNumber buildContinuationPrompt
  `),
  "checkpoints and batching": wordsOf(`
    estimateContextUsage extractState writeCheckpoint verifyCheckpoint triggerCheckpoint
    getAvailableContext estimateTaskTokens splitTaskForContext splitByFileGroups
    batchTasksByContext createBatchedWorkflow
  `),
  "the monitor and snapshots": wordsOf(`
    TokenMonitor DEFAULT_MAX_TOKENS THRESHOLDS ContextExtractor ContextRehydrator
    ContextManagementOrchestrator contextManagementSkill SNAPSHOT_DIR REHYDRATION_LEVELS
  `),
  "compaction and fresh starts": wordsOf(`
    AutoCompactionManager createAutoCompactionManager triggerAutoCompaction collectContext
    compactWithCoreInfo saveContextSnapshot restoreContext formatCompactedContext emitEvent
    prepareFreshStart generateResumeInstructions injectCompactedContext
  `),
  "the agent loop": wordsOf(`
    ContextManager generatePlaceholder isAlreadyMasked maskOldestObservations
    generateMaskNotification MASKED_MARKER
  `),
};

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Types that src/designs/mod.ts must export; the type check of this interface is the test. */
export interface Types {
  readonly ContextConfig: trimtab.ContextConfig;
  readonly UsageStats: trimtab.UsageStats;
  readonly ContextAction: trimtab.ContextAction;
  readonly MaskResult: trimtab.MaskResult;
  readonly ContextSnapshot: trimtab.ContextSnapshot;
  readonly CompactedContext: trimtab.CompactedContext;
  readonly FreshStartContext: trimtab.FreshStartContext;
}
