/**
 * SessionEnd: notes a session that is left by `/clear`, so that the one that starts in its place
 * can go on from what it saved.
 *
 * @module
 */

import { noteLeft } from "../src/memory/left_session.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, runHook, textOf } from "./_payload.ts";

/**
 * Answers the event.
 *
 * @param bytes What the client hands over.
 * @param deps What the hook is handed besides.
 * @returns Nothing to print.
 */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  if (payload !== null && textOf(payload, "reason") === "clear") {
    const owner = ownerOf(payload, deps);
    if (owner !== null) {
      noteLeft(owner.projectDir, {
        session_id: owner.sessionId,
        left_at: deps.now(),
        prompt_id: textOf(payload, "prompt_id") ?? "",
      });
    }
  }
  return Promise.resolve("");
}

if (import.meta.main) await runHook(main);
