/**
 * PostToolBatch: says how full the window is when that is due, before the results of tools go to
 * the model.
 *
 * It fires once for all calls of a message, failed ones too; PostToolUse would be a process for
 * each call and none for those that fail.
 */

import { type HookDeps, runHook } from "./_payload.ts";
import { pressureHook } from "./_pressure.ts";

/** Answers the event. */
export function main(payload: Uint8Array, deps: HookDeps): Promise<string> {
  return pressureHook("PostToolBatch", payload, deps);
}

if (import.meta.main) await runHook(main);
