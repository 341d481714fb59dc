/**
 * PostToolBatch: says how full the window is when that is due, before the results of tools go to
 * the model.
 *
 * It fires once for all calls of a message, failed ones too; PostToolUse would be a process for
 * each call, and would miss failed ones.
 */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { pressureWords } from "../src/events/pressure.ts";
import { runHook } from "./_payload.ts";

/** Answers the event. */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await pressureWords("PostToolBatch", call);
}

if (import.meta.main) await runHook(main);
