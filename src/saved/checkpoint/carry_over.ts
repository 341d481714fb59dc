/**
 * What a checkpoint takes over from the one before.
 *
 * @module
 */

import { readCheckpointState } from "./state.ts";
import { foldState, mergeStates } from "./fold_state.ts";
import { isByHand } from "./item.ts";
import type { WorkState } from "../../extract/work_state.ts";

/**
 * Adds to a work state what the same session's previous checkpoint knows and the state does not:
 * after a compaction only the transcript since then was seen.
 *
 * Requirements, decisions, changes, commits, learnings and what was noted by hand are taken over,
 * folded by their texts; next steps only where the state has none; issues never, because nobody can
 * tell whether they are still open. Doing it again, any number of times, adds nothing.
 *
 * Permissions: none.
 *
 * @param state What was extracted now.
 * @param previousCheckpoint The text of the previous checkpoint of this session, or of the session
 * that it is a copy of; the caller has seen to that.
 * @returns The state with both; nothing in it stands twice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { carryOver } from "./carry_over.ts";
 * import { emptyState } from "../../extract/empty_state.ts";
 *
 * const before = "## Learnings\n\n- The port is 8080 (line 7)\n";
 * const { learnings } = carryOver(carryOver(emptyState(), before), before);
 * assertEquals(learnings, [{ text: "The port is 8080", from: { uuid: null, line: 7 } }]);
 * ```
 */
export function carryOver(state: WorkState, previousCheckpoint: string): WorkState {
  const { state: before, projectDir } = readCheckpointState(previousCheckpoint);
  const ours = foldState(state, projectDir);
  const kept: WorkState = {
    ...before,
    issues: before.issues.filter(({ from }) => isByHand(from)),
    next_steps: ours.next_steps.length === 0
      ? before.next_steps
      : before.next_steps.filter(({ from, status }) => isByHand(from) && status !== "completed"),
    progress: {
      ...before.progress,
      recent: before.progress.recent.filter(({ from }) => isByHand(from)),
    },
  };
  return mergeStates(ours, kept, projectDir);
}
