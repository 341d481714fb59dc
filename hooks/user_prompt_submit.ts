/** UserPromptSubmit: says how full the window is when that is due, before the model is asked. */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { pressureWords } from "../src/events/pressure.ts";
import { runHook } from "./_payload.ts";

/** Answers the event. */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await pressureWords("UserPromptSubmit", call);
}

if (import.meta.main) await runHook(main);
