/** Checks a running session. Writes nothing, because most checks find nothing new. */

import type { SessionState } from "../store/state.ts";
import type { RaisedLevel } from "./advice.ts";
import { judgeUsage, type PressureFacts, type SessionPressure } from "./judge.ts";
import { WARNING_LEVELS, type WarningLevel } from "./ladder.ts";
import { readRunningUsage } from "./running_usage.ts";

/** The warning for an unchanged level is repeated after this many check intervals. */
const REPEAT_INTERVALS = 10;

/** Two hooks can run at the same time, so the last warning can be slightly later than `nowMs`. */
const MAX_AHEAD_MS = 60_000;

/** The last level, and the time of the last warning, as hooks and the module record them. */
type LastWarning = Pick<SessionState, "level" | "warned_at">;

interface WarningPace {
  readonly nowMs: number;
  readonly intervalSeconds: number;
}

interface WarningDecision {
  /** Null for a drop, which is only recorded. */
  readonly warning: RaisedLevel | null;
  readonly isRise: boolean;
  readonly change: { readonly level: WarningLevel; readonly warned_at?: string };
}

export function canSkipMeasurement(last: LastWarning, pace: WarningPace): boolean {
  return lastLevel(last) === "urgent" && isRecent(last, pace, 1);
}

/**
 * Warns about a higher level immediately, and about an unchanged level after ten intervals. Records a drop
 * only if one interval has passed since the last warning, so that a level that drops and rises again within
 * an interval causes no second warning. Returns null if there is nothing to record.
 */
export function decideWarning(
  level: WarningLevel,
  last: LastWarning,
  pace: WarningPace,
): WarningDecision | null {
  const step = WARNING_LEVELS.indexOf(level) - WARNING_LEVELS.indexOf(lastLevel(last));
  if (step < 0) {
    return isRecent(last, pace, 1) ? null : { warning: null, isRise: false, change: { level } };
  }
  if (level === "ok" || (step === 0 && isRecent(last, pace, REPEAT_INTERVALS))) return null;
  const change = { level, warned_at: new Date(pace.nowMs).toISOString() };
  return { warning: level, isRise: step > 0, change };
}

function isRecent({ warned_at = "" }: LastWarning, pace: WarningPace, intervals: number): boolean {
  const passedMs = pace.nowMs - Date.parse(warned_at);
  return passedMs >= -MAX_AHEAD_MS &&
    Math.max(0, passedMs) < pace.intervalSeconds * 1000 * intervals;
}

export interface WatchOptions extends PressureFacts {
  readonly transcript: string;
  readonly nowMs: number;
}

export interface PressureChange {
  readonly pressure: SessionPressure;
  readonly level: WarningLevel;
  readonly pace: WarningPace;
}

/** Measures a session's window. Returns null if there is nothing to warn about and no drop to remember. */
export function watchPressure(options: WatchOptions): PressureChange | null {
  const pace = { nowMs: options.nowMs, intervalSeconds: options.config.check_interval_seconds };
  if (canSkipMeasurement(options.state, pace)) return null;
  const pressure = judgeUsage(readRunningUsage(options.transcript), options);
  // A compaction makes room, but the new usage is known only after the next answer.
  const level = pressure.level ?? (pressure.isCompacted ? "ok" : null);
  if (level === null || decideWarning(level, options.state, pace) === null) return null;
  return { pressure, level, pace };
}

export function lastLevel(last: LastWarning): WarningLevel {
  return WARNING_LEVELS.find((level) => level === last.level) ?? "ok";
}
