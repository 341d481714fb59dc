import type { RescueResult } from "../doctor/repair/rescue.ts";
import { changeLineage } from "../saved/lineage/file.ts";
import { type EndReason, withSuccessor } from "../saved/lineage/rows.ts";
import { startOf } from "../saved/lineage/sessions.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { readSessionState } from "../store/state.ts";
import { recordState } from "../store/state_update.ts";
import { readStartTime } from "../transcript/find.ts";
import type { WindowSource } from "../transcript/tokens/window.ts";
import type { TrimSessionResult } from "../trim/trim_session.ts";

/** Sources of the window's size that a copy lacks: the parent's usage and status line. */
const SEEN_WINDOWS: ReadonlySet<WindowSource> = new Set(["inferred", "statusline"]);

interface Copy {
  readonly parent: string;
  readonly id: string;
  readonly transcript: string;
  readonly reason: EndReason;
  readonly percent: number | null;
}

export function recordTrimmedCopy(
  projectDir: string,
  result: TrimSessionResult,
  now: Date,
): void {
  if (result.dry_run) return;
  const { parent_session_id: parent, session_id: id, percent, output: transcript } = result;
  recordCopy(projectDir, { parent, id, transcript, reason: "trim", percent: percent.before }, now);
  const { auto_compacted_at: compactedAt } = readSessionState({ projectDir, sessionId: parent });
  // The client compacts the copy at the same usage as its parent. The copy's own usage may be too
  // small to show that its window is larger than its model's default.
  const change = {
    ...(compactedAt === undefined ? {} : { auto_compacted_at: compactedAt }),
    ...(SEEN_WINDOWS.has(result.window_source) ? { window_tokens: result.window } : {}),
  };
  recordState({ projectDir, sessionId: id }, change);
}

export function recordRescuedCopy(projectDir: string, result: RescueResult): void {
  const { parent_session_id: parent, session_id: id, output: transcript } = result;
  if (result.dry_run || id === null || transcript === null) return;
  recordCopy(projectDir, { parent, id, transcript, reason: "rescue", percent: null }, new Date());
}

/** Ignores a failure, because the copy already exists. */
function recordCopy(projectDir: string, copy: Copy, now: Date): void {
  const { parent, id, transcript, reason, percent } = copy;
  try {
    const startedAt = readStartTime(joinPath(parentPath(transcript), `${parent}.jsonl`)) ?? now;
    const successor = {
      parent: startOf({ sessionId: parent, now: startedAt }),
      end: { reason, contextAtEnd: percent, now },
      child: startOf({ sessionId: id, parentSessionId: parent, transcript, now }),
    };
    changeLineage({ projectDir }, (sessions) => withSuccessor(sessions, successor));
  } catch {
    // The project is probably read-only.
  }
}
