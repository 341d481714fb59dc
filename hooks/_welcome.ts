/** Tells a user once, at the first start after the plugin was installed, what it does by itself. */

import { claimForGood } from "../src/inject/once.ts";
import { withMessage } from "../src/inject/output.ts";
import { EVENT } from "./_start.ts";

const WORDS =
  "trimtab is on: it says when the window fills, and saves the work before each compaction. " +
  "/trim makes room at any time. Whether all of it works here: !trimtab doctor";

/** Adds the words to what the hook says otherwise, unless another session has just said them. */
export function withWelcome(said: string, configDir: string): string {
  return claimForGood(configDir, "welcome") ? withMessage(EVENT, said, WORDS) : said;
}
