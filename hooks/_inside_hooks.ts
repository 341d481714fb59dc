/** Runs the hook that saves a checkpoint, and skips SessionStart hooks that have nothing to do. */

import type { ClassicAnswer, ClassicEvent, Client, NextHandler } from "../src/inside/client.ts";
import { runHookScript } from "../src/inside/copy.ts";
import { HEADLESS_ENTRYPOINT } from "../src/events/call.ts";
import { lacksProjectFiles, setIdle } from "../src/inside/idle.ts";
import { attempt } from "../src/inside/attempt.ts";

/** Saves a checkpoint before a trim that replaces a compaction, because no PreCompact hook runs then. */
export async function saveCheckpoint(client: Client): Promise<void> {
  await attempt(client, async () => {
    const { transcriptPath } = await client.session.info();
    await runHookScript(client, "pre-compact", {
      hook_event_name: "PreCompact",
      trigger: "auto",
      custom_instructions: null,
      transcript_path: transcriptPath,
    });
  });
}

let replacedSession: string | undefined;

/**
 * Records the session whose conversation a trim or an undo has just replaced, or `undefined` when a compaction
 * begins.
 */
export function setReplaced(session: string | undefined): void {
  replacedSession = session;
}

/**
 * Skips the SessionStart hook when it has nothing to do: after a trim in place, and in a headless session of
 * a project without trimtab's files.
 */
export async function sessionStartHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  await attempt(client, async () => {
    const isTrim = event.source === "compact" && replacedSession === event.session_id;
    if (event.source === "compact") replacedSession = undefined;
    const isIdle = isTrim || await isIdleStart(client);
    await setIdle(client, event.session_id, isIdle ? ["session-start"] : []);
  });
  return await next(event);
}

async function isIdleStart(client: Client): Promise<boolean> {
  const [entrypoint, root] = await Promise.all([
    client.env.get("CLAUDE_CODE_ENTRYPOINT"),
    client.session.root(),
  ]);
  return HEADLESS_ENTRYPOINT.test(entrypoint ?? "") && await lacksProjectFiles(client, root);
}
