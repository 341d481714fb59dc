/** Data with which a fresh session continues from a snapshot. */

import { freshStartTexts, NO_SNAPSHOT, resumeInstructions } from "../saved/layout/rehydrated.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import { type CompactedContext, restoreContext, saveOf } from "./compacted_context.ts";

/** The place of the snapshots, and the bound of the texts. */
export interface FreshStartOptions extends SnapshotPlace {
  /**
   * The most UTF-16 code units of prompt and instructions together; the least important parts go first.
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
 * @param options The project or the folder of its snapshots, and the bound.
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
  return { ...freshStartTexts(compacted.snapshot, options.maxChars), compacted };
}

/**
 * Writes how to continue. Without a phase, the open step takes its place.
 *
 * @param compacted The compacted context.
 * @returns Markdown.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo } from "./compacted_context.ts";
 * import { generateResumeInstructions } from "./fresh_start.ts";
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
 * Renders all that a fresh session gets, or that there is nothing.
 *
 * Permissions: `--allow-read` for the folder of the snapshots.
 *
 * @param snapshotId `latest` for the newest that can be read, an id, a name or a path; left out,
 * `latest`.
 * @param options The project or the folder of its snapshots, and the bound.
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
  return start === null ? NO_SNAPSHOT : `${start.prompt}\n\n${start.instructions}`;
}
