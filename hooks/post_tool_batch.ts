/**
 * Handles PostToolBatch: warns as the window fills up, before tool results go to the model. Also delivers
 * checkpoint requests from the blackboard.
 *
 * The event fires once for all calls of a message, including failed calls. PostToolUse would start a process
 * for each call and miss failed calls.
 */

import { pressureOutput } from "../src/events/pressure.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall((call) => pressureOutput("PostToolBatch", call));

if (import.meta.main) await runHook(main);
