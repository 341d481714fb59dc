/** Handles SessionStart: gives a session the handoff or the save of an earlier session. */

import { startOutput } from "../src/events/start.ts";
import { forCall, runHook } from "./_payload.ts";

export const main = forCall(startOutput);

if (import.meta.main) await runHook(main);
