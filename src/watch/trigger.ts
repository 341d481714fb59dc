/** Asking a session for a checkpoint. */

import { projectOf } from "../saved/snapshot/place.ts";
import { type BoardMessage, CHECKPOINT_TRIGGER, post } from "./blackboard.ts";
import type { CheckpointReason } from "./needs_checkpoint.ts";

/** A session that does not take the message within this time is no longer asked, in milliseconds. */
export const TRIGGER_LIFE_MS = 60 * 60 * 1000;

/** Whom {@linkcode triggerCheckpoint} asks. */
export interface TriggerOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The configuration folder whose key marks the message. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** The session; null for whichever takes the message first. @default {null} */
  readonly sessionId?: string | null;
  /** How full its window is, 0 to 100, for the words to it. @default {null} */
  readonly percent?: number | null;
  /** The time. @default {new Date()} */
  readonly now?: Date;
}

/**
 * Asks a session for a checkpoint, by a message on the project's blackboard that its hooks deliver.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<project>/.claude/trimtab` and the
 * configuration folder's `trimtab/ours`, whose key marks the message.
 *
 * @param reason Why.
 * @param options Whom, and when.
 * @returns The message, of type `checkpoint_trigger`, with `reason`, `session_id`, `timestamp` and
 * `percent` in its payload.
 * @throws {Error} When it could not be posted.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { triggerCheckpoint } from "./trigger.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const { type, payload } = triggerCheckpoint("context_60_percent", { projectDir, percent: 61 });
 * assertEquals([type, payload.reason], ["checkpoint_trigger", "context_60_percent"]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function triggerCheckpoint(
  reason: CheckpointReason,
  options: TriggerOptions = {},
): BoardMessage {
  const { sessionId = null, percent = null, now = new Date() } = options;
  return post({
    type: CHECKPOINT_TRIGGER,
    to: sessionId,
    lifeMs: TRIGGER_LIFE_MS,
    payload: { reason, session_id: sessionId, timestamp: now.toISOString(), percent },
  }, { ...keyOf(options), projectDir: projectOf(options), nowMs: now.getTime() });
}

function keyOf({ configDir }: TriggerOptions): { readonly configDir?: string } {
  return configDir === undefined ? {} : { configDir };
}
