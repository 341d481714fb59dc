/**
 * Handles Stop: saves what a compaction would lose. Saves a checkpoint when the window passes its threshold
 * or after half an hour of work, and a snapshot when the window is full.
 */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { stopWords } from "../src/events/stop.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await stopWords(call);
}

if (import.meta.main) await runHook(main);
