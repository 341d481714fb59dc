/**
 * Handles PostToolUse: shapes long outputs before the model sees them, if the user has enabled that.
 *
 * hooks.json lists the tools whose outputs can be shaped. Their calls are frequent, so the launcher skips the
 * hook unless a configuration file mentions shaping, and the shaping code is loaded only for a long output.
 */

import { hookConfig } from "../src/config/read_config.ts";
import type { LiveConfig } from "../src/config/schema.ts";
import { isObject } from "../src/core/record.ts";
import { type Call, callOf, type HookDeps, isSubagent, textOf } from "../src/events/call.ts";
import { isTarget, maxErrorChars } from "../src/live/target.ts";
import { runHook } from "./_payload.ts";

/** Lowest limit that can be configured. A shorter payload contains no long output. */
const MIN_LIMIT_CHARS = 500;

const EVENT = "PostToolUse";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = bytes.length <= MIN_LIMIT_CHARS ? null : callOf(bytes, deps);
  if (call === null || isSubagent(call)) return "";
  const { owner, configDir, payload } = call;
  const { config } = await hookConfig({ projectDir: owner.projectDir, configDir });
  const { live } = config;
  if (!live.enabled) return "";
  const toolName = textOf(payload, "tool_name");
  const toolUseId = textOf(payload, "tool_use_id");
  if (toolName === undefined || toolUseId === undefined) return "";
  const response = payload["tool_response"];
  if (!isTarget(toolName, live.tools) || !mayBeLong(bytes.length, response, live)) return "";
  try {
    const { shapeCall } = await import("../src/live/shape_call.ts");
    const answered = { toolName, toolUseId, input: payload["tool_input"], response };
    const shaped = shapeCall(answered, { owner, config: live, now: new Date(deps.now()) });
    if (shaped === null) return "";
    await pruneOld(call, config.context.retention_days);
    const hookSpecificOutput = { hookEventName: EVENT, updatedToolOutput: shaped };
    return `${JSON.stringify({ hookSpecificOutput })}\n`;
  } catch (error) {
    const { reportOnce } = await import("../src/events/notices.ts");
    const failure = "long outputs are not being shortened";
    return reportOnce({ event: EVENT, owner, name: "live", failure }, error);
  }
}

/** A character takes at least one byte, so a small payload contains no long output. */
function mayBeLong(bytes: number, response: unknown, live: LiveConfig): boolean {
  if (bytes > live.max_chars) return true;
  const errors = isObject(response) ? textOf(response, "stderr") ?? "" : "";
  return errors.length > maxErrorChars(live);
}

/** Deletes old outputs at the first output of a session. A failure must not affect the new output. */
async function pruneOld({ owner, now }: Call, retentionDays: number): Promise<void> {
  try {
    const { isFirstOutput, pruneOutputs } = await import("../src/live/spill_prune.ts");
    if (!isFirstOutput(owner)) return;
    pruneOutputs({ projectDir: owner.projectDir, retentionDays, nowMs: now() });
  } catch {
    // The next session and `trimtab clean` try again.
  }
}

if (import.meta.main) await runHook(main);
