/** Saves what a session was doing. */

import { gaugeSession } from "../gauge/session_pressure.ts";
import { checkpointDraft } from "../saved/checkpoint.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import type { SaveReason } from "../saved/save.ts";
import type { StateOwner } from "../store/state.ts";
import { hasBlackboard } from "../watch/board_path.ts";
import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to save, and what to add. */
export interface CheckpointOptions extends SessionOptions {
  /** Markdown to merge: facts that only the model or the user knows. */
  readonly notes?: string | undefined;
  /** Whether to show what would be saved, and save nothing. @default {false} */
  readonly draft?: boolean;
  /** The clock. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A checkpoint that was saved, or the draft of one. */
export interface CheckpointResult {
  /** The id; `null` for a draft. */
  readonly id: string | null;
  /** The path of the Markdown file; `null` for a draft. */
  readonly path: string | null;
  /** The reason for the save. */
  readonly trigger: SaveReason;
  /** The number among all of the project, from 1; `null` for a draft. */
  readonly iteration: number | null;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** The task and the count of files. */
  readonly summary: string;
  /** When it was made, ISO 8601; left out of a draft. */
  readonly created?: string;
  /** The Markdown that would be saved; left out where it was. */
  readonly draft?: string;
  /** Problems beside the save itself, in sentences; left out if there were none. */
  readonly warning?: string;
}

/** Saves a checkpoint of a session, verified and indexed. */
export async function checkpoint(options: CheckpointOptions = {}): Promise<CheckpointResult> {
  const { notes, now = () => new Date() } = options;
  const place = locateSession(options);
  const { session, projectDir, configDir, owner } = place;
  const { context: config } = await readConfig(place);
  const { percent } = gaugeSession({ transcript: session.path, owner, config });
  const added = notes === undefined ? {} : { notes };
  if (options.draft === true) {
    const state = sessionWorkState({ owner, transcript: session.path, configDir });
    const { draft, summary } = checkpointDraft(state, {
      projectDir,
      sessionId: session.id,
      trigger: "manual",
      usagePercent: percent,
      now: () => now().getTime(),
      ...added,
    });
    const nothing = { id: null, path: null, iteration: null };
    return { ...nothing, trigger: "manual", verified: false, summary, draft };
  }
  const { saved } = checkpointSession({
    owner,
    transcript: session.path,
    configDir,
    trigger: await isAsked(owner, now) ? "watcher" : "manual",
    usagePercent: percent,
    retentionDays: config.retention_days,
    now: () => now().getTime(),
    ...added,
  });
  if (saved === null) throw new Error("Cannot save checkpoint: nothing was written");
  return saved;
}

/** Whether the session was asked for this on the blackboard. */
async function isAsked(owner: StateOwner, now: () => Date): Promise<boolean> {
  if (!hasBlackboard(owner.projectDir)) return false;
  const { openTriggers } = await import("../watch/blackboard.ts");
  return openTriggers(owner, now().getTime()).length > 0;
}
