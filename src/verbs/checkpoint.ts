import { gaugeSession } from "../gauge/session_pressure.ts";
import { checkpointDraft } from "../saved/checkpoint.ts";
import { checkpointSession, readableWorkState, sessionWorkState } from "../saved/session.ts";
import type { SaveReason } from "../saved/save.ts";
import { hasBlackboard } from "../watch/board_path.ts";
import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to save, and notes to add. */
export interface CheckpointOptions extends SessionOptions {
  /** Markdown notes to merge into the checkpoint, with facts that only the model or the user knows. */
  readonly notes?: string | undefined;
  /** Whether to return the draft without saving it. @default {false} */
  readonly draft?: boolean;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A saved checkpoint, or a draft. */
export interface CheckpointResult {
  /** Id of the checkpoint; `null` for a draft. */
  readonly id: string | null;
  /** Path of the Markdown file; `null` for a draft. */
  readonly path: string | null;
  /** Reason for the save. */
  readonly trigger: SaveReason;
  /** Number of the checkpoint within the project, from 1; `null` for a draft. */
  readonly iteration: number | null;
  /** Whether the file was read back and found complete; false for a draft. */
  readonly verified: boolean;
  /** The current task and the number of modified files. */
  readonly summary: string;
  /** Time of the save, ISO 8601; absent for a draft. */
  readonly created?: string;
  /** The Markdown that would be saved; absent for a saved checkpoint. */
  readonly draft?: string;
  /** Warnings about omitted notes, an unreadable transcript or failed later steps; absent without any. */
  readonly warning?: string;
}

export async function checkpoint(options: CheckpointOptions = {}): Promise<CheckpointResult> {
  const { notes, now = () => new Date() } = options;
  const place = locateSession(options);
  const { session, projectDir, configDir, owner } = place;
  const { context: config } = await readConfig(place);
  const { percent } = gaugeSession({ transcript: session.path, owner, config });
  const shared = { usagePercent: percent, now: () => now().getTime(), notes };
  const readState = notes === undefined ? readableWorkState : sessionWorkState;
  const state = readState({ owner, transcript: session.path, configDir });
  if (options.draft === true) {
    const { draft, summary } = checkpointDraft(state, {
      ...shared,
      projectDir,
      sessionId: session.id,
      trigger: "manual",
    });
    const unsaved = { id: null, path: null, iteration: null };
    return { ...unsaved, trigger: "manual", verified: false, summary, draft };
  }
  let trigger: SaveReason = "manual";
  if (hasBlackboard(projectDir)) {
    const { openTriggers } = await import("../watch/blackboard.ts");
    if (openTriggers(owner, now().getTime()).length > 0) trigger = "watcher";
  }
  const { saved } = checkpointSession({
    ...shared,
    owner,
    transcript: session.path,
    configDir,
    trigger,
    retentionDays: config.retention_days,
    state,
  });
  if (saved === null) throw new Error("Cannot save checkpoint: nothing was written");
  return saved;
}
