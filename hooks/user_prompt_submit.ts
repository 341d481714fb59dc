/** Handles UserPromptSubmit: warns, and delivers checkpoint requests, before the model gets the prompt. */

import { pressureOutput } from "../src/events/pressure.ts";
import { hookForCall, runHook } from "./_payload.ts";

export const main = hookForCall((call) => pressureOutput("UserPromptSubmit", call));

if (import.meta.main) await runHook(main);
