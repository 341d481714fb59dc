/** One look at all sessions that run in a project. */

import { reasonOf } from "../store/atomic.ts";
import { chooseTrigger, type ChosenTrigger } from "./choose_trigger.ts";
import { findLiveSessions, type LiveOptions } from "./live_sessions.ts";
import { CHECKPOINT_TRIGGER } from "./blackboard.ts";
import { type InspectOptions, inspectSession, type SessionReport } from "./monitor.ts";
import type { CheckpointReason } from "./needs_checkpoint.ts";
import { triggerCheckpoint } from "./trigger.ts";
import { memoryText, readWatchMemory, writeWatchMemory } from "./watch_memory.ts";

interface PostedTrigger {
  readonly type: typeof CHECKPOINT_TRIGGER;
  readonly reason: CheckpointReason;
  readonly session_id: string;
  /** When, ISO 8601. */
  readonly timestamp: string;
}

interface LookProblem {
  /** The session that it is about; null where it is about none. */
  readonly session_id: string | null;
  readonly problem: string;
}

export interface FleetLook {
  readonly sessions: readonly SessionReport[];
  /** Those that were asked for a checkpoint: one at most. */
  readonly triggers: readonly PostedTrigger[];
  readonly problems: readonly LookProblem[];
}

export interface LookOptions extends Omit<InspectOptions, "configDir">, LiveOptions {
  /** No two sessions are asked for a checkpoint within this time, in milliseconds. */
  readonly intervalMs: number;
}

/** Looks at all sessions that run in a project, and asks one for a checkpoint where that is due. */
export function lookAtFleet(options: LookOptions): FleetLook {
  const sessions: SessionReport[] = [];
  const problems: LookProblem[] = [];
  const live = findLiveSessions(options);
  for (const session of live) {
    try {
      sessions.push(inspectSession(session, options));
    } catch (error) {
      problems.push({ session_id: session.id, problem: problemOf(error) });
    }
  }
  forgetOthers(options, new Set(live.map(({ path }) => path)));
  try {
    return { sessions, triggers: askOne(sessions, options), problems };
  } catch (error) {
    const problem = { session_id: null, problem: problemOf(error) };
    return { sessions, triggers: [], problems: [...problems, problem] };
  }
}

function askOne(sessions: readonly SessionReport[], options: LookOptions): PostedTrigger[] {
  const { projectDir } = options;
  const memory = readWatchMemory(projectDir);
  const choice = chooseTrigger(sessions, memory, options);
  // Written down before: a watcher that dies in between asks once too seldom, not twice.
  if (memoryText(choice.memoryThen) !== memoryText(memory)) {
    writeWatchMemory(projectDir, choice.memoryThen);
  }
  if (choice.ask === null) return [];
  try {
    return [ask(choice.ask, options)];
  } catch (error) {
    writeWatchMemory(projectDir, choice.memory);
    throw error;
  }
}

function ask(chosen: ChosenTrigger, { projectDir, configDir, nowMs }: LookOptions): PostedTrigger {
  const { sessionId, reason, percent } = chosen;
  const now = new Date(nowMs);
  triggerCheckpoint(reason, { projectDir, configDir, sessionId, percent, now });
  const timestamp = now.toISOString();
  return { type: CHECKPOINT_TRIGGER, reason, session_id: sessionId, timestamp };
}

/** What was counted in sessions that have ended is of no use. */
function forgetOthers({ cache }: LookOptions, live: ReadonlySet<string>): void {
  for (const path of cache?.keys() ?? []) {
    if (!live.has(path)) cache?.delete(path);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) throw error;
  return reasonOf(error);
}
