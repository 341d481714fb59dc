/** Tells a user once, at the first start after the plugin was installed, what it does automatically. */

import { claimForGood } from "../inject/once.ts";
import { withMessage } from "../inject/output.ts";
import { EVENT } from "./started.ts";

const WORDS =
  "trimtab is active: it warns when the window fills up, and saves the work before each compaction. " +
  "/trim frees space at any time. To check the installation: !trimtab doctor";

/** Adds the words to what the hook says otherwise, unless another session has just said them. */
export function withWelcome(said: string, configDir: string): string {
  return claimForGood(configDir, "welcome") ? withMessage(EVENT, said, WORDS) : said;
}
