/** Judges a known usage by the stored state of its session; hooks load only this. */

import type { ContextConfig } from "../config/schema.ts";
import { readFillClues } from "../store/inside_state.ts";
import { type EnvReader, findConfigDir, readEnv } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import type { TailUsage } from "../transcript/tokens/tail_usage.ts";
import { judgeUsage, type SessionPressure } from "./judge.ts";

/** A session, with the configuration and environment that judge it. */
export interface GaugedSession {
  readonly owner: StateOwner;
  readonly config: ContextConfig;
  /** Where environment variables are looked up. @default {readEnv} */
  readonly env?: EnvReader | undefined;
}

/** Measures a session whose newest usage has been read. */
export function gaugeUsage(usage: TailUsage, session: GaugedSession): SessionPressure {
  const { owner, config, env = readEnv } = session;
  const { projectDir, configDir = findConfigDir(env) } = owner;
  const place = { projectDir, configDir };
  return judgeUsage(usage, { config, ...readFillClues(owner), env, place });
}
