/** Measures how full a session's window is, in the same way for hooks, commands and the status line. */

import { unlessMissing } from "../store/exists.ts";
import { asString } from "../transcript/entry.ts";
import { readBeginning } from "../transcript/origin.ts";
import type { TailUsage } from "../transcript/tokens/usage.ts";
import { readNewestUsage } from "./running_usage.ts";
import { type GaugedSession, gaugeUsage } from "./gauge.ts";
import type { SessionPressure } from "./judge.ts";

/** Reads only the end and the beginning of the transcript, so that the cost does not depend on its length. */
export function gaugeSession(session: GaugedSession & { transcript: string }): SessionPressure {
  const tail = unlessMissing(() => readNewestUsage(session.transcript)) ??
    { usage: null, isCompacted: false };
  const pressure = gaugeUsage(tail, session);
  if (pressure.source !== "api" || !isFromTrim(session.transcript, tail)) return pressure;
  return { ...pressure, source: "trim" };
}

/** Whether a trim wrote the newest usage, which is then an estimate. */
function isFromTrim(transcript: string, { usage }: TailUsage): boolean {
  const trimmed = asString(readBeginning(transcript).trim?.trimmed_at);
  return trimmed !== undefined && usage?.timestamp !== undefined && usage.timestamp < trimmed;
}
