/**
 * PostToolUse: shapes an output that is too long before the model sees it, where the user has switched
 * that on.
 *
 * It fires after every tool call. Where no configuration speaks of it, the launcher does not even start
 * this; and what shapes is loaded only for an output that is long enough.
 */

import { hookConfig } from "../src/config/read_config.ts";
import type { LiveConfig } from "../src/config/schema.ts";
import { isTarget, maxErrorChars } from "../src/live/target.ts";
import { findConfigDir } from "../src/store/paths.ts";
import type { StateOwner } from "../src/store/state.ts";
import { isSubagent, ownerOf } from "./_owner.ts";
import { type HookDeps, isPayloadObject, parsePayload, runHook, textOf } from "./_payload.ts";

/** No bound can be lower, in characters; a shorter payload has no output over it. */
const MIN_BOUND = 500;

/** Answers the event. */
export async function main(payload: Uint8Array, deps: HookDeps): Promise<string> {
  if (payload.length <= MIN_BOUND) return "";
  const fields = parsePayload(payload);
  const owner = fields === null ? null : ownerOf(fields, deps);
  if (fields === null || owner === null || isSubagent(fields)) return "";
  const configDir = findConfigDir(deps.env);
  const { config } = await hookConfig({ projectDir: owner.projectDir, configDir });
  const { live } = config;
  if (!live.enabled) return "";
  const toolName = textOf(fields, "tool_name");
  const toolUseId = textOf(fields, "tool_use_id");
  if (toolName === undefined || toolUseId === undefined) return "";
  const response = fields["tool_response"];
  if (!isTarget(toolName, live.tools) || !mayBeLong(payload.length, response, live)) return "";
  try {
    const { shapeCall } = await import("../src/live/shape_call.ts");
    const call = { toolName, toolUseId, input: fields["tool_input"], response };
    const now = new Date(deps.now());
    const shaped = shapeCall(call, { owner, config: live, now });
    if (shaped === null) return "";
    await forgetOld(owner, config.context.retention_days, deps);
    return `${
      JSON.stringify({
        hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: shaped },
      })
    }\n`;
  } catch (error) {
    return await sayOnce(owner, error);
  }
}

/** A character takes a byte at least. */
function mayBeLong(bytes: number, response: unknown, live: LiveConfig): boolean {
  if (bytes > live.max_chars) return true;
  const errors = isPayloadObject(response) ? textOf(response, "stderr") ?? "" : "";
  return errors.length > maxErrorChars(live);
}

/** Deletes old outputs with the first of a session; a failure to delete must not keep this one. */
async function forgetOld(owner: StateOwner, retentionDays: number, deps: HookDeps): Promise<void> {
  try {
    const { isFirstOutput, pruneOutputs } = await import("../src/live/spill_prune.ts");
    if (!isFirstOutput(owner)) return;
    pruneOutputs({ projectDir: owner.projectDir, retentionDays, nowMs: deps.now() });
  } catch {
    // The next session tries again, and so does `trimtab clean`.
  }
}

async function sayOnce(owner: StateOwner, error: unknown): Promise<string> {
  try {
    const { claimNotice } = await import("../src/inject/once.ts");
    if (!claimNotice(owner, "live")) return "";
    const { hookOutput } = await import("../src/inject/output.ts");
    const { reasonOf } = await import("../src/store/atomic.ts");
    const message = `trimtab: long outputs are not being shortened: ${reasonOf(error)}`;
    return hookOutput({ event: "PostToolUse", message });
  } catch {
    // Without a record of having spoken, the hook would speak after every call.
    return "";
  }
}

if (import.meta.main) await runHook(main);
