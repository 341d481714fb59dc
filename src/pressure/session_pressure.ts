/** How full a session's window is: the one answer for hooks, commands and the status line. */

import type { ContextConfig } from "../config/schema.ts";
import { readFillClues } from "../store/inside_state.ts";
import { type EnvReader, findConfigDir, readEnv } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
import { judgeUsage, type SessionPressure } from "./judge.ts";

export type { SessionPressure, UsageSource } from "./judge.ts";

/** A session, and what its window is judged by. */
export interface GaugedSession {
  readonly transcript: string;
  readonly owner: StateOwner;
  readonly config: ContextConfig;
  /** Where environment variables are looked up. @default {readEnv} */
  readonly env?: EnvReader | undefined;
  /** The newest usage, where a hook has waited for it. @default {readTailUsage(transcript)} */
  readonly usage?: TailUsage | undefined;
}

/** Measures a session by the end of its transcript, at the same cost whatever its length. */
export function gaugeSession(session: GaugedSession): SessionPressure {
  const { owner, config, env = readEnv, usage = tailOf(session.transcript) } = session;
  const { projectDir, configDir = findConfigDir(env) } = owner;
  const place = { projectDir, configDir };
  return judgeUsage(usage, { config, ...readFillClues(owner), env, place });
}

function tailOf(transcript: string): TailUsage {
  try {
    return readTailUsage(transcript);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { usage: null, isCompacted: false };
    throw error;
  }
}
