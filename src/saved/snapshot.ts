import { joinPath } from "../store/paths.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { readNewestUsage } from "../gauge/running_usage.ts";
import { PLANNING_DIR, readPlanning } from "../store/planning.ts";
import type { WorkState } from "../core/work_state.ts";
import { compactedText } from "./views/rehydrated.ts";
import {
  contentOf,
  type ContextSnapshot,
  type SnapshotContent,
  snapshotFromContent,
  snapshotStamp,
} from "./save.ts";
import { saveFolder } from "./store.ts";
import { type WriteOptions, writeSave } from "./write.ts";

/** A snapshot on disk. */
export interface SavedSnapshot {
  /** The file's path. */
  readonly path: string;
  /** The snapshot. */
  readonly snapshot: ContextSnapshot;
  /** A problem that did not prevent the save; missing if there was none. */
  readonly warning?: string;
}

export function writeSnapshot(
  snapshot: ContextSnapshot,
  options: WriteOptions & { readonly folder: string; readonly now: Date },
): SavedSnapshot {
  const { folder, now } = options;
  const draft = { ...snapshot, timestamp: now.toISOString() };
  const { json: path, save, warnings: [warning] } = writeSave({
    kind: "snapshot",
    folder,
    stamp: snapshotStamp(now),
    make: (id) => ({ save: { ...draft, snapshot_id: id }, view: null }),
  }, options);
  return { path, snapshot: save, ...(warning === undefined ? {} : { warning }) };
}

interface SessionSnapshotOptions {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  readonly transcript: string;
  readonly name?: string | null;
  readonly now: Date;
}

export function snapshotSession(state: WorkState, options: SessionSnapshotOptions): SavedSnapshot {
  const { projectDir, transcript } = options;
  const planning = readPlanning(joinPath(projectDir, PLANNING_DIR));
  const originalTokens = readNewestUsage(transcript).usage?.tokens ?? null;
  const content = compactedContent(contentOf(state, { ...planning, originalTokens }));
  Deno.statSync(projectDir);
  const save = { ...snapshotFromContent(content, options), project: projectDir };
  return writeSnapshot(save, { ...options, folder: saveFolder("snapshot", options) });
}

export function compactedContent(content: SnapshotContent): SnapshotContent {
  const tokens = Math.ceil(estimateTextTokens(compactedText(content)));
  const { original_tokens: original } = content;
  // The prompt can be larger than a short session, so the ratio is capped at 1.
  const ratio = original === null || original === 0 ? null : Math.min(1, tokens / original);
  return { ...content, compacted_tokens: tokens, compression_ratio: ratio };
}
