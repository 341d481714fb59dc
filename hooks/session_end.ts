/** SessionEnd: writes down how a session ended, and which one `/clear` has left. */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { sessionEnds } from "../src/events/end.ts";
import { runHook } from "./_payload.ts";

/** Answers the event. */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  if (call !== null) await sessionEnds(call);
  return "";
}

if (import.meta.main) await runHook(main);
