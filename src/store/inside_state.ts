/** Reads the record that the module inside the client writes for a session. */

import {
  type InsideRecord,
  insideRecordPath,
  MAX_RECORD_CHARS,
  parseInsideRecord,
} from "./inside_record.ts";
import { readOwnTextSync } from "./own_file.ts";
import { readSessionState, type SessionState, type StateOwner } from "./state.ts";

/** Reads the record of a session; empty if there is none. */
export function readInsideRecord({ projectDir, sessionId }: StateOwner): InsideRecord {
  const text = readOwnTextSync(insideRecordPath(projectDir, sessionId), MAX_RECORD_CHARS);
  return parseInsideRecord(text ?? "");
}

export function readFillClues(owner: StateOwner): { state: SessionState; inside: InsideRecord } {
  return { state: readSessionState(owner), inside: readInsideRecord(owner) };
}

/** A state with the signs of work that the module saw since. */
export function withInsideWork(state: SessionState, { watch }: InsideRecord): SessionState {
  const { active_since, last_active_at } = watch ?? {};
  if (active_since === undefined || last_active_at === undefined) return state;
  if (!(Date.parse(last_active_at) > Date.parse(state.last_active_at ?? "1970"))) return state;
  return { ...state, active_since, last_active_at };
}
