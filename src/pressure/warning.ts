/**
 * The words of a warning.
 *
 * @module
 */

import type { FreedRecord } from "../store/state.ts";
import { adviceText } from "./advice.ts";
import type { WarningLevel } from "./ladder.ts";

/** A level at which there is something to say. */
export type RaisedLevel = Exclude<WarningLevel, "ok">;

const ADVICE: Readonly<Record<RaisedLevel, string>> = Object.freeze({
  warn: "Consider /trim if response quality feels degraded.",
  recommend: "Recommend /trim soon, or /rollover if trim isn't helping.",
  urgent: "Use /trim or /rollover now to avoid lossy auto-compaction.",
});

/** One line that says how full the window is and what to do about it, by what that frees if known. */
export function warningText(percent: number, level: RaisedLevel, freed?: FreedRecord): string {
  if (!Number.isSafeInteger(percent) || percent < 0) {
    throw new RangeError(`Cannot word a warning: percent is ${percent}, expected a whole number`);
  }
  const advice = freed === undefined ? ADVICE[level] : adviceText(level, freed);
  return `Context at ${percent}%. ${advice}`;
}
