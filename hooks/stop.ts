/** Handles Stop: saves what a compaction would lose, as the window fills up or after much work. */

import { stopOutput } from "../src/events/stop.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall(stopOutput);

if (import.meta.main) await runHook(main);
