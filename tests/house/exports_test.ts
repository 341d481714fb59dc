// Programs were written against these names before there was a line of this code.

import { assertEquals } from "@std/assert";
import * as trimtab from "../../mod.ts";

/** What mod.ts must export, by the document that names it. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "trimming and rollover": [
    "loadContextConfig",
    "getContextPercentageFromFile",
    "truncateContent",
    "buildToolNameMapping",
    "trimSessionFile",
    "findCurrentSessionFile",
    "injectTrimMetadata",
    "updateSessionIdInFile",
  ],
  "checkpoints and batching": ["estimateContextUsage"],
  "the monitor": ["TokenMonitor", "DEFAULT_MAX_TOKENS", "THRESHOLDS"],
  "the agent loop": [
    "ContextManager",
    "generatePlaceholder",
    "isAlreadyMasked",
    "maskOldestObservations",
    "generateMaskNotification",
    "MASKED_MARKER",
  ],
};

/** Types that mod.ts must export; that this compiles is the test. */
type _Types = [
  trimtab.ContextConfig,
  trimtab.UsageStats,
  trimtab.ContextAction,
  trimtab.MaskResult,
];

for (const [document, names] of Object.entries(NAMES)) {
  Deno.test(`mod.ts exports every name that the document on ${document} fixes`, () => {
    const missing = names.filter((name) => !Object.hasOwn(trimtab, name));
    assertEquals(missing, []);
  });
}
