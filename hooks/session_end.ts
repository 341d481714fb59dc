/**
 * SessionEnd: writes down in the lineage how a session ended, and notes one that is left by `/clear`,
 * so that the one that starts in its place can go on from what it saved.
 */

import { findConfigDir, isUsed } from "../src/store/paths.ts";
import type { StateOwner } from "../src/store/state.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, type PayloadObject, runHook, textOf } from "./_payload.ts";

/** Answers the event. */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  if (payload !== null && owner !== null) await end(owner, payload, deps);
  return "";
}

async function end(owner: StateOwner, payload: PayloadObject, deps: HookDeps): Promise<void> {
  const isCleared = textOf(payload, "reason") === "clear";
  // First, since the new session waits for it, and the client for neither.
  if (isCleared) await noteCleared(owner, payload, deps);
  // A project in which nothing is kept has no lineage, either.
  if (!isUsed(owner.projectDir)) return;
  const { writeEnd } = await import("../src/events/end.ts");
  await writeEnd({
    owner,
    transcript: textOf(payload, "transcript_path"),
    configDir: findConfigDir(deps.env),
    isCleared,
    now: new Date(deps.now()),
    env: deps.env,
  });
}

async function noteCleared(
  { projectDir, sessionId }: StateOwner,
  payload: PayloadObject,
  deps: HookDeps,
): Promise<void> {
  const { noteLeft } = await import("../src/lineage/left_session.ts");
  const prompt_id = textOf(payload, "prompt_id") ?? "";
  const client_pid = deps.env("CLAUDE_PID") ?? "";
  noteLeft(projectDir, { session_id: sessionId, left_at: deps.now(), prompt_id, client_pid });
}

if (import.meta.main) await runHook(main);
