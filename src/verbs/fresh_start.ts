import { DEFAULT_CONFIG } from "../config/schema.ts";
import { freshStartTexts, rehydratedText, requireLevel } from "../saved/views/rehydrated.ts";
import { restoredText } from "../saved/views/restored.ts";
import { readSave } from "../saved/read.ts";
import { findRestorePoint, findSaveToRestore, isOwnOrTrusted } from "../saved/restore_point.ts";
import { readableSaves } from "../saved/store.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { locateProject, type PlaceOptions, type ProjectPlace } from "./place.ts";

/** The snapshot to start from. */
export interface FreshStartVerbOptions extends PlaceOptions {
  /** The id or the start of it, a name or a path. @default {the newest snapshot of this machine} */
  readonly id?: string | undefined;
  /** Whether to accept a snapshot that was not written on this machine. @default {false} */
  readonly trust?: boolean;
}

/** A snapshot as a prompt. */
export interface FreshStartResult {
  /** Id of the snapshot; `null` if no snapshot was named, and this machine saved none. */
  readonly snapshot_id: string | null;
  /** A prompt that describes the work; `null` without a snapshot. */
  readonly prompt: string | null;
  /** Instructions for continuing; `null` without a snapshot. */
  readonly instructions: string | null;
  /** The newest checkpoint from this machine, fenced; `null` with a snapshot or without a checkpoint. */
  readonly checkpoint: string | null;
  /** Whether the snapshot was written on this machine or is trusted; true without a snapshot. */
  readonly is_ours: boolean;
}

/** In UTF-16 code units. With the line that the command prints above it, the text stays within 9,000. */
const MAX_CHECKPOINT_CHARS = 8_900;

export function freshStart(options: FreshStartVerbOptions = {}): FreshStartResult {
  const { id = "latest", trust } = options;
  return freshStartFrom(id, locateProject(options), trust);
}

export function freshStartFrom(
  wanted: string,
  place: ProjectPlace,
  trust?: boolean,
): FreshStartResult {
  const own = wanted === "latest" ? findRestorePoint(place, { kinds: ["snapshot"] }) : null;
  if (wanted === "latest" && own === null) {
    const found = findRestorePoint(place, { kinds: ["checkpoint"] });
    // Only foreign snapshots are an error, unless there is a checkpoint from this machine.
    if (found !== null || readableSaves("snapshot", place).length === 0) {
      const textOptions = { projectDir: place.projectDir, maxChars: MAX_CHECKPOINT_CHARS };
      const checkpoint = found === null ? null : restoredText(found, textOptions);
      return { snapshot_id: null, prompt: null, instructions: null, checkpoint, is_ours: true };
    }
  }
  const found = own ?? findSaveToRestore(wanted, ["snapshot"], place);
  const is_ours = isOwnOrTrusted(found, place, trust);
  const save = readSave(found.path);
  return { snapshot_id: save.snapshot_id, ...freshStartTexts(save), checkpoint: null, is_ours };
}

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
