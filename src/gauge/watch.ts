/** Checks a running session. Writes nothing, because most checks find nothing new. */

import type { SessionState } from "../store/state.ts";
import { readRunningUsage } from "./running_usage.ts";
import { judgeUsage, type PressureFacts, type SessionPressure } from "./judge.ts";
import { WARNING_LEVELS, type WarningLevel } from "./ladder.ts";
import { canSkipMeasurement, decideWarning, type WarningMemory, type WarningPace } from "./warn.ts";

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
