/** Converts saves to compacted contexts, which have the field names that the designs specify. */

import { PLANNING_DIR, readPlanning } from "../store/planning.ts";
import {
  compactedText,
  freshStartTexts,
  NO_SNAPSHOT,
  resumeInstructions,
} from "../saved/views/rehydrated.ts";
import { readSave, SaveNotFoundError } from "../saved/read.ts";
import {
  contentOf,
  type ContextSnapshot,
  issuesOf,
  type KeyDecision,
  openSteps,
  type SnapshotContent,
  snapshotFromContent,
} from "../saved/save.ts";
import { compactedContent } from "../saved/snapshot.ts";
import { cleanContent, saveSnapshot, type SaveSnapshotOptions } from "./save_snapshot.ts";
import { findSaveToRestore } from "../saved/restore_point.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import type { CollectedContext } from "./collect_context.ts";

/** A session's context, compacted to its most important facts. */
export interface CompactedContext {
  /** The save, from which the other fields are derived. */
  readonly snapshot: SnapshotContent | ContextSnapshot;
  /** The phase of the project's plan; null if unknown. */
  readonly phaseState: { readonly phaseNumber: number; readonly phaseName: string } | null;
  /** The plan in progress; null if there is none. */
  readonly activeTask: { readonly planId: string; readonly status: string } | null;
  /** Unresolved items, newest first. */
  readonly issues: readonly string[];
  /** Decisions, newest first. */
  readonly decisions: readonly KeyDecision[];
  /** Findings, newest first. */
  readonly learnings: readonly string[];
  /** Tokens in the session's context; null if unknown. */
  readonly originalTokens: number | null;
  /** Estimated tokens of the compacted context as text; null if not counted. */
  readonly compactedTokens: number | null;
  /** compactedTokens / originalTokens, capped at 1; null if either is unknown, or if originalTokens is 0. */
  readonly compressionRatio: number | null;
  /** The id of the snapshot that the context was restored from; null if it was not restored. */
  readonly snapshotId: string | null;
}

/** Options for {@linkcode compactWithCoreInfo}. */
export interface CompactOptions {
  /** The folder from which to read the plan if the collected context has none. @default {".planning"} */
  readonly planningDir?: string;
}

/** The fields of a collected context that {@linkcode compactWithCoreInfo} uses. */
export type CompactInput =
  & Pick<CollectedContext, "state">
  & Partial<Pick<CollectedContext, "planning" | "originalTokens">>;

/** Options for saving a compacted context. */
export interface SaveContextOptions extends SaveSnapshotOptions {
  /** A name given by the user. @default {the name that the context already has} */
  readonly name?: string | null;
}

/** Options for {@linkcode formatCompactedContext}. */
export interface FormatOptions {
  /** Maximum UTF-16 code units; the least important parts are omitted. @default {Infinity} */
  readonly maxChars?: number;
}

/**
 * Compacts a collected context to the facts that a fresh start needs.
 *
 * Permissions: `--allow-read` for the plan folder, unless the plan was collected.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo } from "./compacted_context.ts";
 *
 * const compacted = compactWithCoreInfo(collectContext({ transcript: null, planId: "16-03" }));
 * assertEquals(compacted.activeTask, { planId: "16-03", status: "unknown" });
 * ```
 */
export function compactWithCoreInfo(
  ctx: CompactInput,
  options: CompactOptions = {},
): CompactedContext {
  const { phase, task } = ctx.planning ?? readPlanning(options.planningDir ?? PLANNING_DIR);
  const { originalTokens = null } = ctx;
  return compactedOf(compactedContent(contentOf(ctx.state, { phase, task, originalTokens })));
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

export function saveOf(compacted: CompactedContext): SnapshotContent | ContextSnapshot {
  const { snapshot, phaseState: phase, activeTask: task, issues, learnings } = compacted;
  const { origins, ...content } = snapshot;
  // The origins refer to items by index, so they apply only to unchanged lists.
  const isSame = JSON.stringify([issues, learnings]) ===
    JSON.stringify([issuesOf(snapshot), snapshot.learnings]);
  return {
    ...content,
    ...(isSame && origins !== undefined ? { origins } : {}),
    phase_state: phase && { phase_number: phase.phaseNumber, phase_name: phase.phaseName },
    active_task: task && { plan_id: task.planId, status: task.status },
    open_items: [...issues, ...openSteps(snapshot)],
    key_decisions: compacted.decisions,
    learnings,
  };
}

/**
 * Renders a compacted context for the prompt of a fresh start.
 *
 * The session's text is escaped, so that it cannot add a heading or close a fence.
 *
 * @returns Markdown; equal contexts produce equal text.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo, formatCompactedContext } from "./compacted_context.ts";
 *
 * const compacted = compactWithCoreInfo(collectContext({ transcript: null, planId: "16-03" }));
 * const text = formatCompactedContext({ ...compacted, learnings: ["Tests need a running Redis"] });
 * assertStringIncludes(text, "## Learnings\n- Tests need a running Redis");
 * ```
 */
export function formatCompactedContext(
  compacted: CompactedContext,
  options: FormatOptions = {},
): string {
  return compactedText(saveOf(compacted), options.maxChars);
}

/**
 * Saves a compacted context as a snapshot, with the caller's changes. Permissions, result and errors are the
 * same as for {@linkcode ContextExtractor.createSnapshot}.
 */
export function saveContextSnapshot(
  compacted: CompactedContext,
  options: SaveContextOptions = {},
): string {
  const now = options.now ?? new Date();
  const content = saveOf(compacted);
  const currentName = "name" in content ? content.name : null;
  const name = options.name === undefined ? currentName : options.name;
  const snapshot = snapshotFromContent(cleanContent(content), { name, now });
  return saveSnapshot(snapshot, { ...options, now }).path;
}

/**
 * Restores a compacted context from a snapshot.
 *
 * Permissions: `--allow-read` for the project and Claude Code's configuration folder, and `--allow-env` to find
 * the folders. If the configuration folder is not found, no snapshot counts as written on this machine.
 *
 * @param snapshotId `latest` for the newest snapshot that was written on this machine, or an id, the start of an
 * id, a name or a path; defaults to `latest`.
 * @returns The compacted context; null if there is no such snapshot.
 * @throws {RangeError} When several ids start with the given text.
 * @throws {Error} When the snapshot cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { restoreContext } from "./compacted_context.ts";
 *
 * assertEquals(restoreContext("latest", { projectDir: "/nowhere" }), null);
 * ```
 */
export function restoreContext(
  snapshotId: string = "latest",
  options: SnapshotPlace = {},
): CompactedContext | null {
  try {
    return compactedOf(readSave(findSaveToRestore(snapshotId, ["snapshot"], options).path));
  } catch (error) {
    if (error instanceof SaveNotFoundError) return null;
    throw error;
  }
}

/** The location of the snapshots, and the maximum length of the result. */
export interface FreshStartOptions extends SnapshotPlace {
  /** Maximum UTF-16 code units of prompt and instructions; the instructions are kept. @default {Infinity} */
  readonly maxChars?: number;
}

/** Text for a fresh session. */
export interface FreshStartContext {
  /** The compacted context as text, for the prompt. */
  readonly prompt: string;
  /** The compacted context. */
  readonly compacted: CompactedContext;
  /** Instructions for continuing. */
  readonly instructions: string;
}

/**
 * Prepares a fresh start from a snapshot; returns null if there is no such snapshot. Permissions, ids and
 * errors are the same as for {@linkcode restoreContext}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { prepareFreshStart } from "./compacted_context.ts";
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
  return { ...freshStartTexts(compacted.snapshot, options.maxChars), compacted };
}

/**
 * Renders instructions for continuing with the phase or, if there is none, with the step in progress or the
 * first open step. Also lists the unresolved issues.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo, generateResumeInstructions } from "./compacted_context.ts";
 *
 * const compacted = compactWithCoreInfo(collectContext({ transcript: null, planId: "16-03" }));
 * const phaseState = { phaseNumber: 16, phaseName: "Context Compaction" };
 * const text = generateResumeInstructions({ ...compacted, phaseState });
 * assertStringIncludes(text, "Continue from Phase 16 - Context Compaction");
 * ```
 */
export function generateResumeInstructions(compacted: CompactedContext): string {
  return resumeInstructions(saveOf(compacted));
}

/**
 * Renders the prompt and the instructions for a fresh session, or a note that there is no snapshot. Permissions,
 * ids and errors are the same as for {@linkcode restoreContext}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { injectCompactedContext } from "./compacted_context.ts";
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
  return start === null ? NO_SNAPSHOT : `${start.prompt}\n\n${start.instructions}`;
}
