/** Measures how full a session's window is, in the same way for hooks, commands and the status line. */

import { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
import { type GaugedSession, gaugeUsage } from "./gauge.ts";
import type { SessionPressure } from "./judge.ts";

export type { SessionPressure } from "./judge.ts";

/** Reads only the end of the transcript, so that the cost does not depend on its length. */
export function gaugeSession(session: GaugedSession & { transcript: string }): SessionPressure {
  return gaugeUsage(tailOf(session.transcript), session);
}

function tailOf(transcript: string): TailUsage {
  try {
    return readTailUsage(transcript);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { usage: null, isCompacted: false };
    throw error;
  }
}
