/** The session that a new one goes on from after `/clear`. */

import { readRunningUsage } from "../gauge/running_usage.ts";
import { lineageOf } from "../lineage/lineage.ts";
import type { SessionRecord } from "../lineage/session_record.ts";

/** The most sessions without an answer that are passed over. */
const MAX_PASSED_OVER = 5;

/**
 * Lists the sessions whose work a new one can take up: the one that was left, and where nothing
 * happened in it, as after two `/clear` in a row, the one before it too.
 */
export function workBefore(left: string | null, projectDir: string): string[] {
  if (left === null) return [];
  const ids = [left];
  for (const record of lineageOf(left, { projectDir }).slice(0, MAX_PASSED_OVER)) {
    const { parent_session_id: parent } = record;
    if (parent === null || !isIdle(record)) break;
    ids.push(parent);
  }
  return ids;
}

/** Whether the model never answered in a session. */
function isIdle({ transcript }: SessionRecord): boolean {
  if (transcript === null) return false;
  const { usage, isCompacted } = readRunningUsage(transcript);
  return usage === null && !isCompacted;
}
