/** Saves a checkpoint of a session from its transcript and from earlier saves. */

import { reasonOf } from "../store/atomic.ts";
import { sizeOf } from "../store/exists.ts";
import { withLockSync } from "../store/lock.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { recordState } from "../store/state_update.ts";
import {
  type CheckpointOptions,
  saveCheckpoint,
  type SavedCheckpoint,
  summaryOf,
} from "./checkpoint.ts";
import { withoutOrigins } from "../layout/lines.ts";
import { carryOver } from "./merge.ts";
import { type ContextSnapshot, stateOf } from "./save.ts";
import { isOwnSave, readableSaves, saveFolder } from "./store.ts";
import { receivedHandoff } from "./lineage/handoffs.ts";
import { mergeNotes } from "./notes.ts";
import { notesOf } from "./views/handoff.ts";
import { emptyState } from "../extract/empty_state.ts";
import { extractState } from "../extract/extract_state.ts";
import { hasSameOrigin } from "../transcript/origin.ts";
import type { WorkState } from "../core/work_state.ts";

/** A hook does not save an unchanged transcript again within this time, in milliseconds. */
const REPEAT_MS = 60_000;

const WAIT_MS = 1_500;

const HOOK_WAIT_MS = 500;

export interface SessionCheckpointOptions
  extends Omit<CheckpointOptions, "projectDir" | "sessionId" | "parent" | "fs"> {
  readonly owner: StateOwner;
  readonly transcript: string;
  /**
   * Whether to read only the active context, from the end of the file, as hooks must. If true, no checkpoint
   * is saved when the transcript has not changed since a recent checkpoint. @default {false}
   */
  readonly activeOnly?: boolean;
  /**
   * Longest wait for each lock, in milliseconds. @default 1,500 for the session's lock; for a folder's lock,
   * 500 with `activeOnly`, otherwise 5,000
   */
  readonly waitMs?: number | undefined;
  /** The work state, if already known. @default {sessionWorkState(options)} */
  readonly state?: WorkState | undefined;
}

type ReadOptions = Pick<
  SessionCheckpointOptions,
  "owner" | "transcript" | "configDir" | "activeOnly"
>;

interface SessionCheckpoint {
  readonly state: WorkState;
  /** The checkpoint; null if a hook's save was skipped because the transcript had not changed. */
  readonly saved: SavedCheckpoint | null;
}

/**
 * Combines the transcript with an earlier checkpoint. Also adds the received handoff, unless the checkpoint
 * belongs to the same work and therefore already contains the handoff.
 */
export function sessionWorkState(options: ReadOptions): WorkState {
  const fresh = extractOrExplain(options);
  const { owner, transcript, configDir } = options;
  const { projectDir, sessionId } = owner;
  const earlier = earlierCheckpoint(options);
  // A trimmed copy contains its parent's entries; a continued session does not.
  const isSameWork = earlier !== undefined &&
    (earlier.session_id === sessionId || hasSameOrigin(transcript, earlier.session_id ?? ""));
  if (isSameWork) return carryOver(fresh, stateOf(earlier), projectDir);
  const before = earlier === undefined ? emptyState() : withoutOrigins(stateOf(earlier));
  const summary = receivedHandoff(owner, configDir)?.handoff.summary;
  const received = summary === undefined ? before : withHandoff(before, summary, projectDir);
  return carryOver(fresh, received, projectDir);
}

/**
 * Like {@linkcode sessionWorkState}, but rejects a session without work to save.
 *
 * @throws {Error} When nothing in the transcript can be read, and no earlier checkpoint covers its
 * work.
 */
export function readableWorkState(options: ReadOptions): WorkState {
  const state = sessionWorkState(options);
  // A missing session id means that no entry could be read. A session with only commands has an id
  // but no task.
  if (state.session_id === null && summaryOf(state) === summaryOf(emptyState())) {
    throw new Error(`Cannot save the session: ${state.partial || "it has no messages"}`);
  }
  return state;
}

/** Adds a received handoff as notes. Sets `since` on its steps, because they may be done by now. */
function withHandoff(state: WorkState, summary: string, projectDir: string): WorkState {
  const merged = mergeNotes(state, notesOf(summary), { projectDir });
  const known = new Set(state.next_steps.map(({ step }) => step));
  return {
    ...merged,
    next_steps: merged.next_steps.map((one) =>
      known.has(one.step) ? one : { ...one, since: "this session" }
    ),
  };
}

export function checkpointSession(options: SessionCheckpointOptions): SessionCheckpoint {
  const folder = saveFolder("checkpoint", options.owner);
  Deno.statSync(options.owner.projectDir);
  ensurePrivateDirSync(folder);
  const work = (): SessionCheckpoint => saveOnce(options);
  // Two processes may save a session at once. A process that waits too long saves without the lock.
  const waitMs = options.waitMs ?? WAIT_MS;
  return withLockSync(joinPath(folder, ".session.lock"), work, { waitMs }) ?? work();
}

function saveOnce(options: SessionCheckpointOptions): SessionCheckpoint {
  const { owner, transcript, now, activeOnly } = options;
  const bytes = sizeOf(transcript);
  const state = options.state ?? sessionWorkState(options);
  const { last_checkpoint: last } = readSessionState(owner);
  const isRepeated = activeOnly === true && last !== undefined &&
    last.transcript_bytes === bytes && Math.abs(now() - Date.parse(last.created)) < REPEAT_MS &&
    readableSaves("checkpoint", owner).some(({ id, view }) => id === last.id && view !== null);
  if (isRepeated) return { state, saved: null };
  const saved = saveCheckpoint(state, {
    ...options,
    projectDir: owner.projectDir,
    sessionId: owner.sessionId,
    waitMs: options.waitMs ?? (activeOnly === true ? HOOK_WAIT_MS : undefined),
  });
  const { id, created } = saved;
  // Counts activity from this time on, because earlier work is saved.
  const since = { active_since: created, last_active_at: created };
  recordState(owner, { last_checkpoint: { id, created, transcript_bytes: bytes }, ...since });
  const warnings = [saved.warning, unreadWarning(state)];
  const warning = warnings.filter((one) => one !== undefined).join(" ");
  return { state, saved: warning === "" ? saved : { ...saved, warning } };
}

/** Prefix of `partial` if the transcript is unreadable. */
const UNREAD = "the transcript could not be read: ";

export function unreadWarning({ partial }: WorkState): string | undefined {
  return partial.startsWith(UNREAD)
    ? `The save contains only earlier work: ${partial}.`
    : undefined;
}

function extractOrExplain(options: ReadOptions): WorkState {
  try {
    return extractState(options.transcript, { activeOnly: options.activeOnly ?? false });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return emptyState(`${UNREAD}${reasonOf(error)}`);
  }
}

function earlierCheckpoint(
  { owner, transcript, configDir }: ReadOptions,
): ContextSnapshot | undefined {
  const { projectDir } = owner;
  // Skips foreign saves, because a checkpoint with their text would be marked as trimtab's own.
  const all = readableSaves("checkpoint", { projectDir }).flatMap((found) => {
    const { save } = found;
    // Ignores the Markdown, which people may edit, because the state is read only from the JSON.
    const isOwn = save !== null && isOwnSave({ ...found, view: null }, { projectDir, configDir });
    return isOwn ? [save] : [];
  });
  const own = all.find(({ session_id }) => session_id === owner.sessionId);
  if (own !== undefined) return own;
  const others = new Set(all.flatMap(({ session_id }) => session_id ?? []));
  // Until this session has a checkpoint, uses one from the session that it continues or was copied from.
  const { continues } = readSessionState(owner);
  const parent = continues !== undefined && others.has(continues)
    ? continues
    : [...others].find((id) => hasSameOrigin(transcript, id));
  return parent === undefined ? undefined : all.find(({ session_id }) => session_id === parent);
}
