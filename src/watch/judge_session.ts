/** What a look at a session says about it. */

import type { Remedy } from "../pressure/advice.ts";
import { STALE_MINUTES } from "./needs_checkpoint.ts";

type SessionStatus = "ok" | "context_high" | "stale_checkpoint";

type SessionAction = "none" | "trigger_checkpoint" | "trim" | "rollover";

export interface SessionFacts {
  /** How full the window is, 0 to 100; null if not known. */
  readonly percent: number | null;
  /** How much work there was since the last checkpoint, in minutes; null if not known. */
  readonly activeMinutes: number | null;
  /** Whether a checkpoint was saved because the window filled up, and it has been full since. */
  readonly isSaved: boolean;
  readonly remedy: Remedy;
}

/** From where on a session is judged otherwise, in percent of its window, and in minutes. */
export interface SessionThresholds {
  readonly checkpointPercent: number;
  /** From here on a trim is recommended, or a rollover where no trim frees enough. */
  readonly trimPercent: number;
  /** After so much work a checkpoint is out of date. @default {STALE_MINUTES} */
  readonly staleMinutes?: number;
}

export interface SessionVerdict {
  readonly status: SessionStatus;
  readonly recommended_action: SessionAction;
}

export function judgeSession(facts: SessionFacts, thresholds: SessionThresholds): SessionVerdict {
  const { percent, activeMinutes, isSaved, remedy } = facts;
  const { checkpointPercent, trimPercent } = thresholds;
  const isStale = activeMinutes !== null &&
    activeMinutes >= (thresholds.staleMinutes ?? STALE_MINUTES);
  const checkpoint = isStale ? "trigger_checkpoint" : "none";
  if (percent === null || percent < checkpointPercent) {
    return { status: isStale ? "stale_checkpoint" : "ok", recommended_action: checkpoint };
  }
  const action = percent >= trimPercent
    ? remedy === "rollover" ? "rollover" : "trim"
    : isSaved
    ? checkpoint
    : "trigger_checkpoint";
  return { status: "context_high", recommended_action: action };
}
