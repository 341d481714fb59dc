/** UserPromptSubmit: says how full the window is when that is due, before the model is asked. */

import { type HookDeps, runHook } from "./_payload.ts";
import { pressureHook } from "./_pressure.ts";

/** Answers the event. */
export function main(payload: Uint8Array, deps: HookDeps): Promise<string> {
  return pressureHook("UserPromptSubmit", payload, deps);
}

if (import.meta.main) await runHook(main);
