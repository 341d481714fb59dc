import type { InsideRecord } from "./inside_record.ts";
import { readInsideRecord, readSessionState, type SessionState, type StateOwner } from "./state.ts";

export function readFillClues(owner: StateOwner): { state: SessionState; inside: InsideRecord } {
  return { state: readSessionState(owner), inside: readInsideRecord(owner) };
}

/** Uses the times of work in the module's record if they are newer. */
export function withInsideWork(state: SessionState, { watch }: InsideRecord): SessionState {
  const { active_since, last_active_at } = watch ?? {};
  if (active_since === undefined || last_active_at === undefined) return state;
  if (!(Date.parse(last_active_at) > Date.parse(state.last_active_at ?? "1970"))) return state;
  return { ...state, active_since, last_active_at };
}
