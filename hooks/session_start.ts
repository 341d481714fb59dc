/** Handles SessionStart: records the session, and delivers the handoff or the save of an earlier session. */

import { startOutput } from "../src/events/start.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall(startOutput);

if (import.meta.main) await runHook(main);
