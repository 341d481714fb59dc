import { freshStartTexts, NO_SNAPSHOT, resumeInstructions } from "../saved/views/rehydrated.ts";
import type { SnapshotPlace } from "../saved/store.ts";
import { type CompactedContext, restoreContext, saveOf } from "./compacted_context.ts";

/** The location of the snapshots, and the maximum length of the result. */
export interface FreshStartOptions extends SnapshotPlace {
  /**
   * Maximum length of prompt and instructions together, in UTF-16 code units. The least important parts are
   * omitted; the title and the instructions remain even if they alone are longer.
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
  /** Instructions for continuing. */
  readonly instructions: string;
}

/**
 * Prepares a fresh start from a snapshot.
 *
 * Permissions: the same as for {@linkcode restoreContext}.
 *
 * @param snapshotId `latest` for the newest snapshot that was written on this machine, or an id, the start of an
 * id, a name or a path; defaults to `latest`.
 * @param options The project or the folder of its snapshots, and the maximum length.
 * @returns Prompt, compacted context and instructions; null if there is no such snapshot.
 * @throws {RangeError} When several ids start with the given text.
 * @throws {Error} When the snapshot cannot be read.
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
 * Renders instructions for continuing with the phase or, if there is none, with the step in progress or the
 * first open step. Also lists the unresolved issues.
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
 * Renders the prompt and the instructions for a fresh session, or a note that there is no snapshot.
 *
 * Permissions: the same as for {@linkcode restoreContext}.
 *
 * @param snapshotId `latest` for the newest snapshot that was written on this machine, or an id, the start of an
 * id, a name or a path; defaults to `latest`.
 * @param options The project or the folder of its snapshots, and the maximum length.
 * @returns Markdown: the compacted context and the instructions.
 * @throws {RangeError} When several ids start with the given text.
 * @throws {Error} When the snapshot cannot be read.
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
