/** Builds the messages about how full the window is. Loaded only if there is something to report. */

import { isFresh, pressureText } from "../gauge/advice.ts";
import { claimWarning } from "../gauge/claim.ts";
import type { PressureChange } from "../gauge/watch.ts";
import { claimNotice } from "../inject/once.ts";
import { hookOutput } from "../inject/output.ts";
import type { StateOwner } from "../store/state.ts";

interface Findings {
  readonly event: string;
  readonly owner: StateOwner;
  readonly change: PressureChange | null;
  readonly notice: string | null;
  readonly posted: string | null;
}

/** Omits messages that another hook has already shown. */
export function pressureMessages(findings: Findings): string {
  const { event, owner, notice, posted } = findings;
  const warning = warningOf(findings);
  const messages = [
    ...notice !== null && claimNotice(owner, "config") ? [notice] : [],
    ...warning?.isRise ? [warning.text] : [],
  ];
  const context = [
    ...(warning === null ? [] : [warning.text]),
    ...(posted === null ? [] : [posted]),
  ];
  return hookOutput({ event, context, message: messages.join("\n") });
}

function warningOf({ owner, change }: Findings): { text: string; isRise: boolean } | null {
  const claimed = change === null ? null : claimWarning(owner, change);
  if (change === null || claimed === null) return null;
  const { pressure } = change;
  const { level, isRise, state } = claimed;
  const { nowMs } = change.pace;
  // A new estimate is too slow for this hook. The Stop hook and commands make new estimates.
  const freed = isFresh(state.freed, pressure.tokens ?? 0) ? state.freed : undefined;
  return { text: pressureText(pressure, level, freed, { nowMs }), isRise };
}
