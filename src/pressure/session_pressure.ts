/** How full a session's window is: the one answer for hooks, commands and the status line. */

import { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
import { judgeUsage, type PressureClues, type SessionPressure } from "./judge.ts";

export type { PressureClues, SessionPressure, UsageSource } from "./judge.ts";

export interface SessionPressureOptions extends PressureClues {
  readonly transcript: string;
}

/** Measures a session by the end of its transcript, at the same cost whatever its length. */
export function sessionPressure(options: SessionPressureOptions): SessionPressure {
  return judgeUsage(tailOf(options.transcript), options);
}

function tailOf(transcript: string): TailUsage {
  try {
    return readTailUsage(transcript);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { usage: null, isCompacted: false };
    throw error;
  }
}
