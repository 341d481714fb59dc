/**
 * Handles Stop: saves what a compaction would lose. Saves a checkpoint when usage passes `warn_threshold` or
 * after half an hour of unsaved work, and a snapshot when usage passes `auto_compact_threshold`.
 */

import { stopOutput } from "../src/events/stop.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall(stopOutput);

if (import.meta.main) await runHook(main);
