/** Saves a session that was left before it saved anything. Loaded only after `/clear`. */

import { findRestorePoint } from "../saved/restore_point.ts";
import { isHandedOver } from "../saved/lineage/handoffs.ts";
import { lineageOf } from "../saved/lineage/sessions.ts";
import { checkpointSession } from "../saved/session.ts";
import type { FoundSave } from "../saved/store.ts";
import { readSessionState } from "../store/state.ts";
import type { Start } from "./call.ts";

/**
 * Saves the session just left if it continued earlier work, which would otherwise end with it. Returns null if
 * there is no such session.
 */
export function saveLeftWork({ left, owner, configDir, config, now }: Start): FoundSave | null {
  if (left === null) return null;
  const { projectDir } = owner;
  const before = { projectDir, sessionId: left };
  const transcript = lineageOf(left, owner)[0]?.transcript ?? null;
  if (transcript === null || readSessionState(before).continues === undefined) return null;
  // Work that was handed over belongs to the session that takes the handoff.
  if (isHandedOver(left, 0, projectDir)) return null;
  checkpointSession({
    owner: before,
    transcript,
    configDir,
    trigger: "watcher",
    usagePercent: null,
    retentionDays: config.retention_days,
    now,
    activeOnly: true,
  });
  return findRestorePoint({ projectDir, configDir }, { accepts: (id) => id === left });
}
