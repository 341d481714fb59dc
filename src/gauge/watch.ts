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

export interface WarningMemory {
  readonly level: WarningLevel;
  readonly warnedAtMs: number | null;
}

export interface WarningPace {
  readonly nowMs: number;
  readonly intervalSeconds: number;
}

export function canSkipMeasurement(memory: WarningMemory, pace: WarningPace): boolean {
  return memory.level === "urgent" && isRecent(memory, pace, 1);
}

/**
 * Warns about a higher level immediately, and about an unchanged level after ten intervals. A drop is
 * remembered only if one interval has passed since the last warning.
 */
export function decideWarning(
  level: WarningLevel,
  memory: WarningMemory,
  pace: WarningPace,
): { warning: RaisedLevel | null; isRise: boolean; memory: WarningMemory } {
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
  const memory = memoryOf(options.state);
  if (canSkipMeasurement(memory, pace)) return null;
  const pressure = judgeUsage(readRunningUsage(options.transcript), options);
  // A compaction makes room, but the new usage is known only after the next answer.
  const level = pressure.level ?? (pressure.isCompacted ? "ok" : null);
  if (level === null || decideWarning(level, memory, pace).memory === memory) return null;
  return { pressure, level, pace };
}

export function memoryOf(state: SessionState): WarningMemory {
  const level = WARNING_LEVELS.find((level) => level === state.level) ?? "ok";
  const warnedAtMs = Date.parse(state.warned_at ?? "");
  return { level, warnedAtMs: Number.isNaN(warnedAtMs) ? null : warnedAtMs };
}
