/** Measures how full a session's window is, in the same way for hooks, commands and the status line. */

import { unlessMissing } from "../store/exists.ts";
import { asString } from "../transcript/entry.ts";
import { readBeginning } from "../transcript/origin.ts";
import { readTailUsage, type TailUsage } from "../transcript/tokens/tail_usage.ts";
import { type GaugedSession, gaugeUsage } from "./gauge.ts";
import type { SessionPressure } from "./judge.ts";

/** Reads only the end of the transcript, so that the cost does not depend on its length. */
export function gaugeSession(session: GaugedSession & { transcript: string }): SessionPressure {
  const tail = unlessMissing(() => readTailUsage(session.transcript)) ??
    { usage: null, isCompacted: false };
  const pressure = gaugeUsage(tail, session);
  if (pressure.source !== "api" || !isFromTrim(session.transcript, tail)) return pressure;
  return { ...pressure, source: "trim" };
}

/** A trim lowers the newest usage in the copy that it writes, so the copy's figure is an estimate. */
function isFromTrim(transcript: string, { usage }: TailUsage): boolean {
  const trimmed = asString(readBeginning(transcript).trim?.trimmed_at);
  return trimmed !== undefined && usage?.timestamp !== undefined && usage.timestamp < trimmed;
}
