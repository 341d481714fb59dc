/**
 * Saves checkpoints in its own process, at the same time as many other processes.
 *
 * @module
 */

import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import "../own_config.ts";

const [projectDir = "", configDir = "", sessionId = "", times = "1", time = ""] = Deno.args;

/** Longer than a hook would wait, since many processes on two cores wait for each other. */
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
