/** Claims a warning for one of several hooks that run at the same time. */

import type { SessionState, StateOwner } from "../store/state.ts";
import { updateSessionState } from "../store/state_update.ts";
import type { RaisedLevel } from "./advice.ts";
import { decideWarning, type PressureChange } from "./watch.ts";

interface ClaimedWarning {
  readonly level: RaisedLevel;
  readonly isRise: boolean;
  readonly state: SessionState;
}

export function claimWarning(owner: StateOwner, change: PressureChange): ClaimedWarning | null {
  let claimed: ClaimedWarning | null = null;
  const outcome = updateSessionState(owner, (state) => {
    // Decides again from the stored state, because another hook may have warned in the meantime.
    const decision = decideWarning(change.level, state, change.pace);
    const { warning = null, isRise = false } = decision ?? {};
    claimed = warning === null ? null : { level: warning, isRise, state };
    return decision?.change ?? null;
  });
  return outcome === "written" ? claimed : null;
}
