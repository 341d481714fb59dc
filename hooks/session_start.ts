/** SessionStart: gives a session what an earlier one left for it. */

import { hookConfig } from "../src/config/read_config.ts";
import { startWords } from "../src/events/start.ts";
import { EVENT, HEADLESS_ENTRYPOINTS } from "../src/events/started.ts";
import { reasonOf } from "../src/store/atomic.ts";
import { findConfigDir } from "../src/store/paths.ts";
import type { StateOwner } from "../src/store/state.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, type PayloadObject, runHook, textOf } from "./_payload.ts";

/** Answers the event. */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  return answer(bytes, deps);
}

async function answer(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  const source = payload === null ? undefined : textOf(payload, "source");
  if (payload === null || owner === null || source === undefined) return "";
  try {
    const configDir = findConfigDir(deps.env);
    const { config } = await hookConfig({ projectDir: owner.projectDir, configDir });
    const isCold = source === "resume" && payload["prompt_cache_likely_expired"] === true;
    const { context_tokens: tokens, estimated_cache_write_usd: cost } = payload;
    return await startWords({
      owner,
      configDir,
      source,
      transcript: textOf(payload, "transcript_path") ?? "",
      left: source === "clear" ? await leftBefore(owner, payload, deps) : null,
      config: config.context,
      coldCache: isCold ? { tokens, cost } : undefined,
      isHeadless: HEADLESS_ENTRYPOINTS.test(deps.env("CLAUDE_CODE_ENTRYPOINT") ?? ""),
      nowMs: deps.now(),
      env: deps.env,
    }, config.waiting);
  } catch (error) {
    const { hookOutput } = await import("../src/inject/output.ts");
    return hookOutput({ event: EVENT, message: `trimtab: cannot restore: ${reasonOf(error)}` });
  }
}

/** The session that a `/clear` has just left. */
async function leftBefore(
  { projectDir }: StateOwner,
  payload: PayloadObject,
  deps: HookDeps,
): Promise<string | null> {
  const { takeLeft } = await import("../src/lineage/left_session.ts");
  const promptId = textOf(payload, "prompt_id") ?? "";
  const clientPid = deps.env("CLAUDE_PID") ?? "";
  return takeLeft(projectDir, { nowMs: deps.now(), promptId, clientPid });
}

if (import.meta.main) await runHook(main);
