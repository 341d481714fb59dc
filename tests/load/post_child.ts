/**
 * Posts a message and writes an event, as a watcher and a hook do. Both have the id that it is told.
 *
 * @module
 */

import { post } from "../../src/watch/blackboard.ts";
import { emitEvent } from "../../src/designs/events.ts";
import "../own_config.ts";

/** So many processes on two cores wait for each other longer than a hook would. */
const PATIENCE_MS = 60_000;

const [projectDir = "", id = ""] = Deno.args;

post({ id, type: "work", to: "nobody", payload: { text: "é".repeat(200) } }, {
  projectDir,
  nowMs: Date.now(),
  waitMs: PATIENCE_MS,
});
emitEvent({ type: "posted", payload: { id }, source: "load" }, { projectDir });
