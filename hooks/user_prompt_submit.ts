/**
 * Handles UserPromptSubmit: warns as the window fills up, before the model gets the prompt. Also delivers
 * checkpoint requests from the blackboard.
 */

import { pressureOutput } from "../src/events/pressure.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall((call) => pressureOutput("UserPromptSubmit", call));

if (import.meta.main) await runHook(main);
