/** Handles UserPromptSubmit: reports how full the window is before the model gets the prompt. */

import { pressureWords } from "../src/events/pressure.ts";
import { forCall, runHook } from "./_payload.ts";

export const main = forCall((call) => pressureWords("UserPromptSubmit", call));

if (import.meta.main) await runHook(main);
