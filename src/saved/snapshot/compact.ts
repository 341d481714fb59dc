/** Compacts what was collected to its core, and saves that. */

import { estimateTextTokens } from "../../transcript/tokens/tokens.ts";
import type { CollectedContext } from "./collect_context.ts";
import { type CompactedContext, compactedOf } from "./compacted_context.ts";
import { formatCompactedContext } from "./compacted_text.ts";
import { PLANNING_DIR, readPlanning } from "../../extract/planning.ts";
import { contentOf, sealSnapshot } from "./snapshot.ts";
import { contentFrom } from "./input.ts";
import { saveSnapshot, type SaveSnapshotOptions } from "./store.ts";

/** Options of {@linkcode compactWithCoreInfo}. */
export interface CompactOptions {
  /** Where the plan is read, when the collected context has none. @default {".planning"} */
  readonly planningDir?: string;
}

/** Parts of a collected context that {@linkcode compactWithCoreInfo} needs. */
export type CompactInput =
  & Pick<CollectedContext, "state">
  & Partial<Pick<CollectedContext, "planning" | "originalTokens">>;

/** Options for saving a compacted context. */
export interface SaveContextOptions extends SaveSnapshotOptions {
  /** A name for people. @default {the one that it has} */
  readonly name?: string | null;
}

/**
 * Compacts a collected context to what a fresh start needs.
 *
 * Permissions: `--allow-read` for the plan folder, unless the plan was collected.
 *
 * @param ctx What was collected.
 * @param options Where the plan is, if it was not collected.
 * @returns The compacted context, with what it weighs against the whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo } from "./compact.ts";
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
  const originalTokens = ctx.originalTokens ?? null;
  const content = contentOf(ctx.state, { phase, task, originalTokens });
  const text = formatCompactedContext(compactedOf(content));
  const tokens = Math.ceil(estimateTextTokens(text));
  const ratio = ratioOf(tokens, originalTokens);
  return compactedOf({ ...content, compacted_tokens: tokens, compression_ratio: ratio });
}

/**
 * Saves a compacted context as a snapshot.
 *
 * Permissions: `--allow-read` and `--allow-write` for the folder.
 *
 * @param compacted The compacted context.
 * @param options Where and when, and under which name.
 * @returns The path of the snapshot's file.
 * @throws {TypeError} When a field is of a wrong type; the message names it.
 * @throws {Error} Whatever the system says when the file cannot be written.
 */
export function saveContextSnapshot(
  compacted: CompactedContext,
  options: SaveContextOptions = {},
): string {
  const now = options.now ?? new Date();
  const { snapshot: content } = compacted;
  const own = "name" in content ? content.name : null;
  const name = options.name === undefined ? own : options.name;
  const snapshot = sealSnapshot(contentFrom(content), { name, now });
  return saveSnapshot(snapshot, { ...options, now }).path;
}

/** A short session can be smaller than what is said about it; nothing was saved then. */
function ratioOf(compacted: number, original: number | null): number | null {
  if (original === null || original === 0) return null;
  return Math.min(1, compacted / original);
}
