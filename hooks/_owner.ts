/** Whose payload a hook was handed. */

import { findProjectDir, isAbsolutePath } from "../src/store/paths.ts";
import { sessionStatePath, type StateOwner } from "../src/store/state.ts";
import { type HookDeps, type PayloadObject, textOf } from "./_payload.ts";

/** Finds the project and the session that a payload is about. */
export function ownerOf(payload: PayloadObject, deps: HookDeps): StateOwner | null {
  const sessionId = textOf(payload, "session_id") ?? "";
  const cwd = textOf(payload, "cwd") ?? "";
  const projectDir = findProjectDir({ cwd, env: deps.env });
  const owner = { projectDir, sessionId };
  return isAbsolutePath(projectDir) && sessionStatePath(owner) !== null ? owner : null;
}

/**
 * Tells whether a payload is about a subagent, which has a window of its own: what it is told does
 * not reach the session.
 */
export function isSubagent(payload: PayloadObject): boolean {
  return Object.hasOwn(payload, "agent_id") && payload["agent_id"] !== null;
}
