/** Decides when a warning is due. */

import { WARNING_LADDER, type WarningLevel } from "./ladder.ts";
import type { RaisedLevel } from "./advice.ts";

/** Check intervals after which an unchanged level is reported again. */
const REPEAT_INTERVALS = 10;

/** Milliseconds by which a warning may lie ahead: two hooks can look at once. */
const MAX_AHEAD_MS = 60_000;

export const LEVELS: readonly WarningLevel[] = [
  WARNING_LADDER.base,
  ...WARNING_LADDER.steps.map((step) => step.level),
];

export interface WarningMemory {
  readonly level: WarningLevel;
  /** When the model was last warned, in milliseconds since 1970; null when it never was. */
  readonly warnedAtMs: number | null;
}

export interface WarningPace {
  readonly nowMs: number;
  /** `check_interval_seconds` of the configuration. */
  readonly intervalSeconds: number;
}

interface WarningDecision {
  /** The subject of the message, or null. */
  readonly say: RaisedLevel | null;
  /** Whether the level has risen: the user is then told as well. */
  readonly isRise: boolean;
  readonly memory: WarningMemory;
}

/** Whether the last warning is too recent for another, so that a hook need not even look. */
export function isQuiet(memory: WarningMemory, pace: WarningPace): boolean {
  return memory.level === LEVELS.at(-1) && isWithin(memory, pace, 1);
}

/**
 * Decides whether to warn: a higher level is reported at once, an unchanged one after ten intervals, a
 * lower one never; the higher level is forgotten after one interval.
 */
export function decideWarning(
  level: WarningLevel,
  memory: WarningMemory,
  pace: WarningPace,
): WarningDecision {
  const change = LEVELS.indexOf(level) - LEVELS.indexOf(memory.level);
  const isDue = change > 0 || (change === 0 && !isWithin(memory, pace, REPEAT_INTERVALS));
  // A level that falls and rises again within an interval is no news.
  if (change < 0 && isWithin(memory, pace, 1)) return { say: null, isRise: false, memory };
  if (level === "ok" || !isDue) {
    return { say: null, isRise: false, memory: change < 0 ? { ...memory, level } : memory };
  }
  return { say: level, isRise: change > 0, memory: { level, warnedAtMs: pace.nowMs } };
}

function isWithin(memory: WarningMemory, pace: WarningPace, intervals: number): boolean {
  if (memory.warnedAtMs === null) return false;
  const passedMs = pace.nowMs - memory.warnedAtMs;
  if (passedMs < -MAX_AHEAD_MS) return false;
  return Math.max(0, passedMs) < pace.intervalSeconds * 1000 * intervals;
}
