/**
 * SessionEnd: writes down in the lineage how a session ended, and notes one that is left by `/clear`,
 * so that the one that starts in its place can go on from what it saved.
 *
 * @module
 */

import { readHookConfig } from "../src/config/cached.ts";
import { noteLeft } from "../src/memory/left_session.ts";
import { hasSameOrigin } from "../src/memory/same_origin.ts";
import { sessionPressure } from "../src/pressure/session_pressure.ts";
import {
  createSession,
  endSession,
  endSessionIfKnown,
  listSessions,
} from "../src/rollover/lineage.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { readSessionState, type StateOwner } from "../src/store/state.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, type PayloadObject, runHook, textOf } from "./_payload.ts";

/**
 * Answers the event.
 *
 * @param bytes What the client hands over.
 * @param deps What the hook is handed besides.
 * @returns Nothing to print.
 */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  if (payload !== null && owner !== null) end(owner, payload, deps);
  return Promise.resolve("");
}

function end(owner: StateOwner, payload: PayloadObject, deps: HookDeps): void {
  const { projectDir, sessionId } = owner;
  const isCleared = textOf(payload, "reason") === "clear";
  // First, since the new session waits for it, and the client for neither.
  if (isCleared) {
    const prompt_id = textOf(payload, "prompt_id") ?? "";
    const client_pid = deps.env("CLAUDE_PID") ?? "";
    noteLeft(projectDir, { session_id: sessionId, left_at: deps.now(), prompt_id, client_pid });
  }
  const end = {
    projectDir,
    sessionId,
    reason: isCleared ? "clear" : "exit",
    contextAtEnd: percentOf(owner, payload, deps),
    now: new Date(deps.now()),
  } as const;
  if (endSessionIfKnown(end)) return;
  const transcript = textOf(payload, "transcript_path") ?? "";
  const parent = forkedFrom(transcript, projectDir);
  if (parent === null) return;
  createSession({ ...end, parentSessionId: parent, transcript, env: deps.env });
  endSession(end);
}

/** A headless fork starts under the id of its parent, and tells its own only at its end. */
function forkedFrom(transcript: string, projectDir: string): string | null {
  const ids = listSessions({ projectDir }).map(({ session_id: id }) => id);
  return ids.findLast((id) => id !== null && hasSameOrigin(transcript, id)) ?? null;
}

function percentOf(owner: StateOwner, payload: PayloadObject, deps: HookDeps): number | null {
  const transcript = textOf(payload, "transcript_path");
  if (transcript === undefined) return null;
  const configDir = findConfigDir(deps.env);
  const { config } = readHookConfig({ projectDir: owner.projectDir, configDir });
  const clues = { config: config.context, state: readSessionState(owner), env: deps.env };
  return sessionPressure({ transcript, ...clues }).percent;
}

if (import.meta.main) await runHook(main);
