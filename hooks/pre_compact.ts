/** Handles PreCompact: saves a checkpoint, and asks the summarizer to keep what matters. */

import { callOf, type HookDeps, parsePayload, textOf } from "../src/events/call.ts";
import { preCompactOutput, problemOutput } from "../src/events/pre_compact.ts";
import { runHook } from "./_payload.ts";

const NO_OWNER = "the client sent no project or no valid session id";

export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const call = callOf(bytes, deps);
  if (call !== null) return await preCompactOutput(call);
  // Without a report, nobody would notice if the client identified sessions in a new way.
  const hasTranscript = textOf(parsePayload(bytes), "transcript_path") !== undefined;
  return hasTranscript ? `${problemOutput(new Error(NO_OWNER))}\n` : "";
}

if (import.meta.main) await runHook(main);
