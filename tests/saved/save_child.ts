/**
 * Saves checkpoints in a process of its own, as many others do at the same moment.
 *
 * @module
 */

import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import "../own_config.ts";

const [projectDir = "", configDir = "", sessionId = "", times = "1", time = ""] = Deno.args;

/** This many processes on two cores wait for each other longer than a hook would. */
const PATIENCE_MS = 60_000;

const saved = Array.from({ length: Number(times) }, () =>
  writeCheckpoint(emptyState(), {
    projectDir,
    configDir,
    trigger: "watcher",
    sessionId,
    usagePercent: null,
    now: () => Date.parse(time),
    retentionDays: 7,
    waitMs: PATIENCE_MS,
  }));

console.log(JSON.stringify(saved));
