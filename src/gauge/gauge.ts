/** Computes how full a window is from usage that the caller has read. Kept small, because hooks load it. */

import type { ContextConfig } from "../config/schema.ts";
import { type EnvReader, findConfigDir, readEnv } from "../store/paths.ts";
import { readInsideRecord, readSessionState, type StateOwner } from "../store/state.ts";
import type { TailUsage } from "../transcript/tokens/usage.ts";
import { judgeUsage, type SessionPressure } from "./judge.ts";

export interface GaugedSession {
  readonly owner: StateOwner;
  readonly config: ContextConfig;
  readonly env?: EnvReader | undefined;
}

export function gaugeUsage(usage: TailUsage, session: GaugedSession): SessionPressure {
  const { owner, config, env = readEnv } = session;
  const { projectDir, configDir = findConfigDir(env) } = owner;
  const place = { projectDir, configDir };
  const [state, inside] = [readSessionState(owner), readInsideRecord(owner)];
  return judgeUsage(usage, { config, state, inside, env, place });
}
