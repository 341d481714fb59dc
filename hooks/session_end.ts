/** Handles SessionEnd: records how a session ended, and which session `/clear` replaced. */

import { sessionEnds } from "../src/events/end.ts";
import { forCall, runHook } from "./_payload.ts";

export const main = forCall(async (call) => {
  await sessionEnds(call);
  return "";
});

if (import.meta.main) await runHook(main);
