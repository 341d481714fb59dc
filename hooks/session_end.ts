/** Handles SessionEnd: records how a session ended, and which session `/clear` replaced. */

import { recordSessionEnd } from "../src/events/end.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall(async (call) => {
  await recordSessionEnd(call);
  return "";
});

if (import.meta.main) await runHook(main);
