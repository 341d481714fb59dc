/** Runs hooks of ours beside a compaction or a trim, and keeps them quiet where they have nothing to do. */

import type { ClassicAnswer, ClassicEvent, Client, Next } from "../src/inside/client.ts";
import { canRunHooks, runHook } from "../src/inside/copy.ts";
import { HEADLESS_ENTRYPOINTS } from "../src/events/call.ts";
import { isUnused, setIdle } from "../src/inside/idle.ts";
import { logFailure } from "./_inside_plan.ts";

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
    logFailure(client, error);
  }
}

/** The session whose conversation was just replaced by a trim in place, which loses nothing. */
let replaced: string | undefined;

/** Takes note of such a trim; `undefined` where another compaction begins. */
export function noteReplaced(session: string | undefined): void {
  replaced = session;
}

/**
 * Leaves a start to the hook where that can restore or say something: not where the start is that of
 * a trim in place, and not in a project that has nothing of ours, unless a person looks on.
 */
export async function startHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  try {
    const isTrim = event.source === "compact" && replaced === event.session_id;
    if (event.source === "compact") replaced = undefined;
    const isIdle = isTrim || await isIdleStart(client);
    await setIdle(client, event.session_id, isIdle ? ["session-start"] : []);
  } catch (error) {
    logFailure(client, error);
  }
  return await next(event);
}

async function isIdleStart(client: Client): Promise<boolean> {
  const [entrypoint, root] = await Promise.all([
    client.env.get("CLAUDE_CODE_ENTRYPOINT"),
    client.session.root(),
  ]);
  return HEADLESS_ENTRYPOINTS.test(entrypoint ?? "") && await isUnused(client, root);
}
