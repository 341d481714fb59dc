/** What a checkpoint takes over from the one before. */

import { readCheckpointState } from "./state.ts";
import { foldState, mergeStates } from "./fold_state.ts";
import { isByHand } from "./item.ts";
import type { WorkState } from "../../extract/work_state.ts";

/** Adds what the previous checkpoint knows: after a compaction only the lines since then were read. */
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
