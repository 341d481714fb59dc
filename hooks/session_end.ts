/** Handles SessionEnd: records how a session ended, and which session `/clear` replaced. */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { sessionEnds } from "../src/events/end.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  if (call !== null) await sessionEnds(call);
  return "";
}

if (import.meta.main) await runHook(main);
