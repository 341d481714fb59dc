/** Measures or estimates how full a session's window is, and recommends an action. */

import type { InsideConfig } from "../config/schema.ts";
import { isTrimCertain, warningText } from "../gauge/advice.ts";
import type { GaugedSession } from "../gauge/gauge.ts";
import { contextPercent, roundingOf, type SessionPressure } from "../gauge/judge.ts";
import { type WarningLevel, warningLevel } from "../gauge/ladder.ts";
import { gaugeSession } from "../gauge/session_pressure.ts";
import type { FreedRecord } from "../store/state.ts";

export interface KnownPressure
  extends Omit<SessionPressure, "tokens" | "left" | "percent" | "level" | "source"> {
  readonly tokens: number;
  readonly left: number;
  readonly percent: number;
  readonly level: WarningLevel;
  /** `estimate` if the tokens were estimated from the text of the messages. */
  readonly source: Exclude<SessionPressure["source"], "none"> | "estimate";
}

/** An estimate does not include the client's own prompt and tools. */
export async function pressureOrEstimate(
  session: GaugedSession & { transcript: string },
): Promise<KnownPressure> {
  const measured = gaugeSession(session);
  const tokens = measured.tokens ??
    (await import("./freed.ts")).tokensInContext(session.transcript);
  const source = measured.source === "none" ? "estimate" : measured.source;
  const percent = contextPercent(tokens, measured.limit, roundingOf(source));
  return {
    ...measured,
    tokens,
    left: Math.max(0, measured.limit - tokens),
    percent,
    level: warningLevel(percent, session.config),
    source,
  };
}

export function recommendationOf(
  pressure: KnownPressure,
  freed: FreedRecord | undefined,
  { inside, nowMs }: { readonly inside: InsideConfig; readonly nowMs: number },
): string {
  const { level, limitKind, percent, source, tokens } = pressure;
  if (level === "ok") return "Context is healthy. No action needed.";
  // Figures with the source `inside` come from the module, which can trim before a compaction.
  const isTrimFirst = source === "inside" && inside.before_compaction !== "save" &&
    isTrimCertain(freed, pressure, inside.compact_after_trim_percent);
  return warningText(percent, level, freed, { isTrimFirst, limitKind, nowMs, tokens });
}
