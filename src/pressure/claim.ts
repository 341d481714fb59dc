/**
 * Who of several hooks speaks, and in what words.
 *
 * @module
 */

import { grouped } from "../inject/bound.ts";
import type { FreedRecord, StateOwner } from "../store/state.ts";
import { type StateChange, updateSessionState } from "../store/state_update.ts";
import { isFresh } from "./advice.ts";
import type { SessionPressure } from "./judge.ts";
import { decideWarning, type WarningMemory } from "./warn.ts";
import { type RaisedLevel, warningText } from "./warning.ts";
import { memoryOf, type PressureNews } from "./watch.ts";

/** A word about a session's window. */
interface PressureWarning {
  /** One line. */
  readonly text: string;
  /** Whether the level has risen: the user is then told as well as the model. */
  readonly isRise: boolean;
}

/** Writes down what a look found, and says whether to speak about it. */
export function claimWarning(owner: StateOwner, news: PressureNews): PressureWarning | null {
  const { pressure, level, pace } = news;
  let say: RaisedLevel | null = null;
  let isRise = false;
  let freed: FreedRecord | undefined;
  const outcome = updateSessionState(owner, (latest) => {
    // Another process may have been faster.
    const memory = memoryOf(latest);
    const decision = decideWarning(level, memory, pace);
    ({ say, isRise } = decision);
    freed = latest.freed;
    return decision.memory === memory ? null : changeOf(decision.memory);
  });
  return outcome === "written" && say !== null
    ? { text: pressureText(pressure, say, freed), isRise }
    : null;
}

/** The line that warns, in figures that the user finds on the screen too. */
export function pressureText(
  pressure: Pick<SessionPressure, "tokens" | "limit" | "percent">,
  level: RaisedLevel,
  freed?: FreedRecord,
): string {
  const { tokens, limit, percent } = pressure;
  const words = warningText(percent ?? 0, level, isFresh(freed, tokens ?? 0) ? freed : undefined);
  return `${words} (${grouped(tokens ?? 0)} of ${grouped(limit)} tokens)`;
}

function changeOf({ level, warnedAtMs }: WarningMemory): StateChange {
  return { level, warned_at: warnedAtMs === null ? null : new Date(warnedAtMs).toISOString() };
}
