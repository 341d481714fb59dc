/**
 * Handles Stop: saves what a compaction would lose. Saves a checkpoint when the window passes its threshold
 * or after half an hour of unsaved work, and a snapshot when the window is nearly full.
 */

import { stopOutput } from "../src/events/stop.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall(stopOutput);

if (import.meta.main) await runHook(main);
