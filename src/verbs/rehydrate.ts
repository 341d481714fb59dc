import { DEFAULT_CONFIG } from "../config/schema.ts";
import { rehydratedText, requireLevel } from "../saved/views/rehydrated.ts";
import { readSave } from "../saved/read.ts";
import { findSaveToRestore, isOwnOrTrusted } from "../saved/restore_point.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { FreshStartVerbOptions } from "./fresh_start.ts";
import { locateProject } from "./place.ts";

/** The snapshot to restore, and its level of detail. */
export interface RehydrateOptions extends FreshStartVerbOptions {
  /** Level of detail. @default {"standard"} */
  readonly level?: "essential" | "standard" | "comprehensive" | undefined;
}

/** A snapshot as text. */
export interface RehydrateResult {
  /** Id of the snapshot. */
  readonly snapshot_id: string;
  /** Level of detail of the text. */
  readonly level: "essential" | "standard" | "comprehensive";
  /** Markdown without a fence, at most 9,000 UTF-16 code units. */
  readonly context: string;
  /** Estimated tokens of the text. */
  readonly token_count: number;
  /** Whether the snapshot was written on this machine or is trusted. */
  readonly is_ours: boolean;
}

export function rehydrate(options: RehydrateOptions = {}): RehydrateResult {
  const place = locateProject(options);
  const { id: wanted = "latest", level = "standard", trust } = options;
  requireLevel(level);
  const found = findSaveToRestore(wanted, ["snapshot"], place);
  const is_ours = isOwnOrTrusted(found, place, trust);
  const save = readSave(found.path);
  // The configured limit applies only to hooks.
  const context = rehydratedText(save, level, DEFAULT_CONFIG.context.restore_max_chars);
  const token_count = Math.ceil(estimateTextTokens(context));
  return { snapshot_id: save.snapshot_id, level, context, token_count, is_ours };
}
