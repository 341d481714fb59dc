/** Handles PostToolBatch, which fires once for all calls of a message, including failed calls. */

import { pressureOutput } from "../src/events/pressure.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall((call) => pressureOutput("PostToolBatch", call));

if (import.meta.main) await runHook(main);
