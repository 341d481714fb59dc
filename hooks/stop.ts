/**
 * Stop: saves a snapshot by itself when the window has filled up, once until the next compaction.
 *
 * It runs at the end of every turn and holds the user up, so all that it does as a rule is to look at
 * the end of the transcript.
 *
 * @module
 */

import { readHookConfig } from "../src/config/cached.ts";
import { sessionPressure } from "../src/pressure/session_pressure.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { readSessionState } from "../src/store/state.ts";
import { isSubagent, ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, runHook, textOf } from "./_payload.ts";

/**
 * Answers the event.
 *
 * @param bytes What the client hands over.
 * @param deps What the hook is handed besides.
 * @returns What to print.
 */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  if (payload === null || isSubagent(payload)) return "";
  const owner = ownerOf(payload, deps);
  const transcript = textOf(payload, "transcript_path");
  if (owner === null || transcript === undefined) return "";
  const state = readSessionState(owner);
  if (state.auto_snapshot !== undefined) return "";
  const configDir = findConfigDir(deps.env);
  const { config } = readHookConfig({ projectDir: owner.projectDir, configDir });
  const clues = { config: config.context, state, env: deps.env };
  const { percent } = sessionPressure({ transcript, ...clues });
  if (percent === null || percent < config.context.auto_compact_threshold) return "";
  const { snapshotOnce } = await import("./_snapshot.ts");
  return snapshotOnce({
    owner,
    transcript,
    percent,
    threshold: config.context.auto_compact_threshold,
  }, deps);
}

if (import.meta.main) await runHook(main);
