/** Handles SessionStart: gives a session the handoff or the save of an earlier session. */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { startWords } from "../src/events/start.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await startWords(call);
}

if (import.meta.main) await runHook(main);
