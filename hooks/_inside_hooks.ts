/** Runs hooks of ours beside a compaction or a trim, and keeps them quiet where they have nothing to do. */

import type { ClassicAnswer, ClassicEvent, Client, Next } from "../src/inside/client.ts";
import { canRunHooks, runHook } from "../src/inside/copy.ts";
import { tellHooks, untellHooks } from "../src/inside/watch.ts";
import { reasonOf } from "./_inside_plan.ts";

/** Saves a checkpoint of a session that is about to be trimmed: the client tells no hook of that. */
export async function saveBeside(client: Client): Promise<void> {
  try {
    if (!await canRunHooks(client)) return;
    const { transcriptPath } = await client.session.info();
    await runHook(client, "pre-compact", {
      hook_event_name: "PreCompact",
      trigger: "auto",
      custom_instructions: null,
      transcript_path: transcriptPath,
    });
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
  }
}

/** The session whose conversation was just replaced by a trim in place, which loses nothing. */
let replaced: string | undefined;

/** Takes note of such a trim; `undefined` where another compaction begins. */
export function noteReplaced(session: string | undefined): void {
  replaced = session;
}

/** Tells hooks that a start is that of a trim: they would restore what is still there. */
export async function startHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.source !== "compact" || replaced === undefined) {
    // Where there is no Deno, what the launcher says depends on whether a module does the work.
    const isTold = await tellHooks(client);
    return await next(event).finally(() => {
      if (isTold) void untellHooks(client);
    });
  }
  const session = replaced;
  replaced = undefined;
  await client.env.set("TRIMTAB_TRIMMED", session).catch(() => {});
  try {
    return await next(event);
  } finally {
    await client.env.set("TRIMTAB_TRIMMED", undefined).catch(() => {});
  }
}
