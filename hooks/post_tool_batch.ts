/**
 * PostToolBatch: reports how full the window is, if a report is due, before tool results go to the model.
 *
 * This event fires once for all calls of a message, failed ones included. PostToolUse would start a process
 * per call and miss failed calls.
 */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { pressureWords } from "../src/events/pressure.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await pressureWords("PostToolBatch", call);
}

if (import.meta.main) await runHook(main);
