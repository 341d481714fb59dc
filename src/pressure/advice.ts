/**
 * What to do about a full window, by what each way out of it would free.
 *
 * @module
 */

import { grouped } from "../inject/bound.ts";
import type { FreedRecord } from "../store/state.ts";
import type { WarningLevel } from "./ladder.ts";

/** From this share of the context on a trim is worth recommending, in percent. */
export const WORTHWHILE_PERCENT = 10;

/** A record holds until the context has grown or shrunk by this, in percent. */
const STALE_PERCENT = 10;

/** What is recommended. */
export type Remedy = "light" | "deep" | "rollover";

/** What a person types for it. */
export const REMEDY_COMMANDS: Readonly<Record<Remedy, string>> = Object.freeze({
  light: "/trim",
  deep: "/trim --depth deep",
  rollover: "/rollover",
});

/** Whether a record still tells of a context of this size. */
export function isFresh(record: FreedRecord | undefined, tokens: number): record is FreedRecord {
  if (record === undefined) return false;
  return Math.abs(tokens - record.at_tokens) * 100 <= STALE_PERCENT * record.at_tokens;
}

/** The least disruptive way that frees enough; the last where none does. */
export function chooseRemedy(record: FreedRecord): Remedy {
  return isWorthwhile(record, "light")
    ? "light"
    : isWorthwhile(record, "deep")
    ? "deep"
    : "rollover";
}

function isWorthwhile(record: FreedRecord, remedy: Remedy): boolean {
  return record[remedy] * 100 >= WORTHWHILE_PERCENT * record.at_tokens;
}

/** One sentence that recommends one thing, and says what the others would free. */
export function adviceText(
  level: Exclude<WarningLevel, "ok">,
  record: FreedRecord,
): string {
  const remedy = chooseRemedy(record);
  const others = (["light", "deep", "rollover"] as const).filter((one) => one !== remedy)
    .map((one) => `${REMEDY_COMMANDS[one]} ${grouped(record[one])}`);
  const command = REMEDY_COMMANDS[remedy];
  const opening = {
    warn: `Consider ${command} if response quality feels degraded`,
    recommend: `Recommend ${command} soon`,
    urgent: `Use ${command} now to avoid lossy auto-compaction`,
  }[level];
  // What the API counted can be more than the messages hold: nothing is then known of a rollover.
  if (!isWorthwhile(record, remedy)) {
    return `${opening}: a trim frees little (${others.join(", ")}).`;
  }
  return `${opening}: it frees about ${grouped(record[remedy])} tokens (${others.join(", ")}).`;
}
