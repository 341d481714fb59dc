/** Handles the end of a session, and records which session `/clear` replaced. */

import { usesTrimtab } from "../store/paths.ts";
import { type Call, textOf } from "./call.ts";

export async function recordSessionEnd(call: Call): Promise<void> {
  const isCleared = textOf(call.payload, "reason") === "clear";
  // Must come first: the next session reads this record, and the client does not wait for the hook.
  if (isCleared) {
    const { recordLeftSession } = await import("../saved/lineage/left_session.ts");
    recordLeftSession(call.owner.projectDir, {
      session_id: call.owner.sessionId,
      left_at: call.now(),
      prompt_id: textOf(call.payload, "prompt_id") ?? "",
      client_pid: call.env("CLAUDE_PID") ?? "",
    });
  }
  // An unused project has no lineage.
  if (!usesTrimtab(call.owner.projectDir)) return;
  const { readLineage, recordEnd } = await import("../saved/lineage/file.ts");
  const { owner, transcript = "", env } = call;
  const ending = {
    ...owner,
    reason: isCleared ? "clear" : "exit",
    contextAtEnd: await percentOf(call),
    now: new Date(call.now()),
  } as const;
  if (recordEnd(ending).value !== null) return;
  // A headless fork starts under its parent's id, and reports its own id only at the end.
  const { hasSameOrigin } = await import("../transcript/origin.ts");
  const ids = readLineage(owner).sessions.map(({ session_id: id }) => id);
  const parent = ids.findLast((id) => id !== null && hasSameOrigin(transcript, id)) ?? null;
  if (parent === null) return;
  const { recordStart } = await import("../saved/lineage/sessions.ts");
  recordStart({ ...ending, transcript, env, parentSessionId: parent });
  recordEnd(ending);
}

async function percentOf({ owner, transcript, configDir, env }: Call): Promise<number | null> {
  if (transcript === undefined) return null;
  const { hookConfig } = await import("../config/read_config.ts");
  const { gaugeSession } = await import("../gauge/session_pressure.ts");
  const { config } = await hookConfig({ projectDir: owner.projectDir, configDir });
  return gaugeSession({ transcript, owner, config: config.context, env }).percent;
}
