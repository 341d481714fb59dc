/**
 * Handles UserPromptSubmit: reports how full the window is, if a report is due, before the model is asked.
 */

import { callOf, type HookDeps } from "../src/events/call.ts";
import { pressureWords } from "../src/events/pressure.ts";
import { runHook } from "./_payload.ts";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  return call === null ? "" : await pressureWords("UserPromptSubmit", call);
}

if (import.meta.main) await runHook(main);
