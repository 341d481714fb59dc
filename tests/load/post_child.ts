/** Posts a message and writes an event, as a watcher and a hook do. Both use the id in the arguments. */

import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { emitEvent } from "../../src/designs/emit_event.ts";
import "../own_config.ts";

const [projectDir = "", id = ""] = Deno.args;

triggerCheckpoint("checkpoint_stale", { projectDir, sessionId: id });
emitEvent({ type: "posted", payload: { id }, source: "load" }, { projectDir });
