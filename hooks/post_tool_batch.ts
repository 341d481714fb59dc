/**
 * Handles PostToolBatch: reports how full the window is, if a report is due, before tool results go to the
 * model.
 *
 * The event fires once for all calls of a message, including failed calls. PostToolUse would start a process
 * for each call and miss failed calls.
 */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { pressureWords } from "../src/events/pressure.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await pressureWords("PostToolBatch", call);
}

if (import.meta.main) await runHook(main);
