/** The fill of a window, for people: an estimate if usage is unknown, and advice. */

import type { FreedRecord } from "../store/state.ts";
import type { ContextEstimate } from "./heuristics.ts";
import type { GaugedSession } from "./gauge.ts";
import type { SessionPressure } from "./judge.ts";
import { gaugeSession } from "./session_pressure.ts";
import { type AdviceOptions, warningText } from "./advice.ts";

/** A pressure that may be only an estimate. */
export type AnyPressure = Omit<SessionPressure, "source"> & {
  /** The source of the tokens; `estimate` if they were computed from counts. */
  source: SessionPressure["source"] | "estimate";
  /** Parts of an estimate; left out if the tokens are known. */
  estimate?: ContextEstimate;
};

/** Judges how full a session's window is; if no usage is known, by counting what is in it. */
export async function pressureOrEstimate(
  session: GaugedSession & { transcript: string },
): Promise<AnyPressure> {
  const measured = gaugeSession(session);
  if (measured.tokens !== null) return measured;
  const { gatherMetrics } = await import("./metrics.ts");
  const { explainContextUsage } = await import("./heuristics.ts");
  const { warningLevel } = await import("./ladder.ts");
  const estimate = explainContextUsage(gatherMetrics(session.transcript));
  const { usage } = estimate;
  const percent = Math.round(usage * 100);
  return {
    ...measured,
    tokens: Math.round(usage * measured.limit),
    left: Math.max(0, Math.round((1 - usage) * measured.limit)),
    percent,
    level: warningLevel(percent, session.config),
    source: estimate.source,
    estimate,
  };
}

/** Tokens that were measured; null where they were only computed from counts. */
export function measuredTokens(
  { tokens, source }: Pick<AnyPressure, "tokens" | "source">,
): number | null {
  return source === "estimate" ? null : tokens;
}

/** Recommends an action for a pressure, by the tokens that it would free, if known. */
export function recommendationOf(
  pressure: Pick<AnyPressure, "level" | "percent" | "tokens">,
  freed?: FreedRecord,
  options?: AdviceOptions,
): string {
  const { level, percent, tokens } = pressure;
  if (level === null || percent === null) return "No usage is known yet. No action needed.";
  if (level === "ok") return "Context is healthy. No action needed.";
  return warningText(percent, level, freed, { ...options, tokens });
}
