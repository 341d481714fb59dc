import { WARNING_LEVELS, type WarningLevel } from "./ladder.ts";
import type { RaisedLevel } from "./advice.ts";

/** The warning for an unchanged level is repeated after this many check intervals. */
const REPEAT_INTERVALS = 10;

/** Two hooks can run at the same time, so the last warning can be slightly later than `nowMs`. */
const MAX_AHEAD_MS = 60_000;

export interface WarningMemory {
  readonly level: WarningLevel;
  readonly warnedAtMs: number | null;
}

export interface WarningPace {
  readonly nowMs: number;
  readonly intervalSeconds: number;
}

interface WarningDecision {
  readonly warning: RaisedLevel | null;
  readonly isRise: boolean;
  readonly memory: WarningMemory;
}

export function canSkipMeasurement(memory: WarningMemory, pace: WarningPace): boolean {
  return memory.level === "urgent" && isRecent(memory, pace, 1);
}

/**
 * Decides whether to warn: about a higher level immediately, about an unchanged level after ten intervals,
 * and never about a lower level or `ok`. A drop is remembered only if one interval has passed since the last
 * warning.
 */
export function decideWarning(
  level: WarningLevel,
  memory: WarningMemory,
  pace: WarningPace,
): WarningDecision {
  const change = WARNING_LEVELS.indexOf(level) - WARNING_LEVELS.indexOf(memory.level);
  const isDue = change > 0 || (change === 0 && !isRecent(memory, pace, REPEAT_INTERVALS));
  // A level that drops and rises again within one interval causes no second warning.
  if (change < 0 && isRecent(memory, pace, 1)) return { warning: null, isRise: false, memory };
  if (level === "ok" || !isDue) {
    return { warning: null, isRise: false, memory: change < 0 ? { ...memory, level } : memory };
  }
  return { warning: level, isRise: change > 0, memory: { level, warnedAtMs: pace.nowMs } };
}

function isRecent(memory: WarningMemory, pace: WarningPace, intervals: number): boolean {
  if (memory.warnedAtMs === null) return false;
  const passedMs = pace.nowMs - memory.warnedAtMs;
  if (passedMs < -MAX_AHEAD_MS) return false;
  return Math.max(0, passedMs) < pace.intervalSeconds * 1000 * intervals;
}
