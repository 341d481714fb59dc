/**
 * Measures how full a session's window is, or estimates it if the usage is unknown, and recommends an action.
 */

import type { FreedRecord } from "../store/state.ts";
import type { GaugedSession } from "./gauge.ts";
import type { SessionPressure } from "./judge.ts";
import { gaugeSession } from "./session_pressure.ts";
import { type AdviceOptions, warningText } from "./advice.ts";

export type AnyPressure = Omit<SessionPressure, "source"> & {
  /** `estimate` if the tokens were derived from counts of messages and calls. */
  source: SessionPressure["source"] | "estimate";
};

/** Measures how full a session's window is. If the usage is unknown, estimates it from the transcript. */
export async function pressureOrEstimate(
  session: GaugedSession & { transcript: string },
): Promise<AnyPressure> {
  const measured = gaugeSession(session);
  if (measured.tokens !== null) return measured;
  const { gatherMetrics } = await import("./metrics.ts");
  const { estimateContextUsage } = await import("./heuristics.ts");
  const { warningLevel } = await import("./ladder.ts");
  const usage = estimateContextUsage(gatherMetrics(session.transcript));
  const percent = Math.round(usage * 100);
  return {
    ...measured,
    tokens: Math.round(usage * measured.limit),
    left: Math.max(0, Math.round((1 - usage) * measured.limit)),
    percent,
    level: warningLevel(percent, session.config),
    source: "estimate",
  };
}

/** Returns null for an estimate. */
export function measuredTokens(
  { tokens, source }: Pick<AnyPressure, "tokens" | "source">,
): number | null {
  return source === "estimate" ? null : tokens;
}

export function recommendationOf(
  pressure: Pick<AnyPressure, "level" | "percent" | "tokens">,
  freed?: FreedRecord,
  options?: AdviceOptions,
): string {
  const { level, percent, tokens } = pressure;
  if (level === null || percent === null) return "The usage is not known yet. No action needed.";
  if (level === "ok") return "Context is healthy. No action needed.";
  return warningText(percent, level, freed, { ...options, tokens });
}
