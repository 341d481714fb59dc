import type { CheckpointReason } from "../store/needs_checkpoint.ts";
import { addToLogSync } from "../store/log.ts";
import { createSignature } from "../store/own_marks.ts";
import { findProjectDir } from "../store/paths.ts";
import { type CheckpointRequest, MAX_BOARD_BYTES, signedText } from "./blackboard.ts";
import { blackboardPath } from "./board_path.ts";

/** Options for {@linkcode triggerCheckpoint}. */
export interface TriggerOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The configuration folder whose key signs the request. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** Id of the session to ask; null for every session of the project. @default {null} */
  readonly sessionId?: string | null;
  /** Percentage of the limit, a whole number from 0 to 100. @default {null} */
  readonly percent?: number | null;
  /** Time of the request. @default {new Date()} */
  readonly now?: Date;
}

/**
 * Asks a session to save a checkpoint. The request is a line on the blackboard, which a hook shows to the
 * session.
 *
 * Permissions: `--allow-read` for the project and for `trimtab/ours` in the configuration folder, whose key
 * signs the line; `--allow-write` for `<project>/.claude/trimtab` and `trimtab/ours`; `--allow-env` for the
 * default folders.
 *
 * @param reason Why a checkpoint is needed.
 * @returns The posted request.
 * @throws {TypeError} When the reason is unknown, or `percent` is not a whole number from 0 to 100.
 * @throws {Error} When the project does not exist, or the line cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { triggerCheckpoint } from "./trigger.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const { type, reason } = triggerCheckpoint("context_60_percent", { projectDir, percent: 61 });
 * assertEquals([type, reason], ["checkpoint_trigger", "context_60_percent"]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function triggerCheckpoint(
  reason: CheckpointReason,
  options: TriggerOptions = {},
): CheckpointRequest {
  const { sessionId = null, percent = null, now = new Date(), ...place } = options;
  const { projectDir = findProjectDir({ cwd: Deno.cwd() }), configDir } = place;
  if (!["context_60_percent", "checkpoint_stale"].includes(reason)) {
    throw new TypeError(
      `Cannot trigger checkpoint: the reason is ${JSON.stringify(reason)}, ` +
        'expected "context_60_percent" or "checkpoint_stale"',
    );
  }
  if (percent !== null && !(Number.isInteger(percent) && percent >= 0 && percent <= 100)) {
    throw new TypeError(
      `Cannot trigger checkpoint: percent is ${percent}, expected a whole number from 0 to 100`,
    );
  }
  Deno.statSync(projectDir);
  const trigger: CheckpointRequest = {
    id: crypto.randomUUID(),
    type: "checkpoint_trigger",
    reason,
    session_id: sessionId,
    timestamp: now.toISOString(),
    percent,
  };
  const owner = configDir === undefined ? { projectDir } : { projectDir, configDir };
  const mark = createSignature(owner, "message", signedText(trigger));
  const line = `${JSON.stringify({ ...trigger, mark })}\n`;
  addToLogSync(blackboardPath(projectDir), line, { maxBytes: MAX_BOARD_BYTES });
  return trigger;
}
