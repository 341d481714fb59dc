/** Advice for a full window: one remedy, chosen by what each would free. */

import { grouped } from "../inject/bound.ts";
import type { FreedRecord } from "../store/state.ts";
import type { SessionPressure } from "./judge.ts";
import type { WarningLevel } from "./ladder.ts";

export type FreedAmounts = Pick<FreedRecord, "at_tokens" | Remedy>;

/** A level at which there is something to say. */
export type RaisedLevel = Exclude<WarningLevel, "ok">;

/** From this share of the context on a trim is worth recommending, in percent. */
export const WORTHWHILE_PERCENT = 10;

/** A record holds until the context has grown or shrunk by this, in percent. */
const STALE_PERCENT = 10;

export type Remedy = "light" | "deep" | "rollover";

const REMEDY_COMMANDS: Readonly<Record<Remedy, string>> = Object.freeze({
  light: "/trim",
  deep: "/trim --depth deep",
  rollover: "/rollover",
});

export interface Recommendation {
  readonly remedy: Remedy;
  readonly command: string;
  /** Tokens that it frees; null if unknown or too few to mention. */
  readonly freed: number | null;
}

/** Whether a record still applies to a context of this size. */
export function isFresh<T extends FreedAmounts>(
  record: T | undefined,
  tokens: number,
): record is T {
  if (record === undefined) return false;
  return Math.abs(tokens - record.at_tokens) * 100 <= STALE_PERCENT * record.at_tokens;
}

/** The least disruptive remedy that frees enough, else the last; without a record, the first. */
export function recommend(
  record: FreedAmounts | undefined,
  enoughPercent = WORTHWHILE_PERCENT,
): Recommendation {
  if (record === undefined) return { remedy: "light", command: "/trim", freed: null };
  const isEnough = (one: Remedy): boolean => record[one] * 100 >= enoughPercent * record.at_tokens;
  const remedy = (["light", "deep"] as const).find(isEnough) ?? "rollover";
  // The API's count can exceed the messages; a rollover's share is then unknown.
  const freed = isEnough(remedy) ? record[remedy] : null;
  return { remedy, command: REMEDY_COMMANDS[remedy], freed };
}

/** Actions that happen without the user. */
export interface AdviceOptions {
  /** Whether a trim in place comes before the client compacts automatically. @default {false} */
  readonly isTrimFirst?: boolean;
}

/** One sentence that recommends one thing, and says what the others would free. */
export function adviceText(
  level: RaisedLevel,
  record: FreedAmounts | undefined,
  { isTrimFirst = false }: AdviceOptions = {},
): string {
  const { remedy, command, freed } = recommend(record);
  const opening = {
    warn: `Consider ${command} if response quality feels degraded`,
    recommend: `Recommend ${command} soon`,
    // A trim that frees little does not keep the client from compacting.
    urgent: isTrimFirst && remedy !== "rollover"
      ? `Use ${command} now, or trimtab trims before the client compacts`
      : `Use ${command} now to avoid lossy auto-compaction`,
  }[level];
  if (record === undefined) return `${opening}.`;
  const worth = freed === null ? "a trim frees little" : `it frees about ${grouped(freed)} tokens`;
  const others = (["light", "deep", "rollover"] as const).filter((one) => one !== remedy)
    .map((one) => `${REMEDY_COMMANDS[one]} ${grouped(record[one])}`);
  return `${opening}: ${worth} (${others.join(", ")}).`;
}

/** Tells a person once how a full window can be trimmed without them. */
export const TRIM_AT_OFFER = "Set [inside] trim_at_percent to have it trimmed when a turn ends";

/** The same in as few words as a table or a status line has room for. */
export function adviceWords(
  record: FreedAmounts | undefined,
  sizeText: (tokens: number) => string = grouped,
): string {
  const { command, freed } = recommend(record);
  if (record === undefined) return `${command} makes room`;
  return freed === null ? command : `${command} frees ${sizeText(freed)}`;
}

/** Under this share of the context, in percent, a trim is not worth the cache that it costs. */
const VAIN_PERCENT = 2;

export function isVain({ before, after }: { before: number; after: number }): boolean {
  return (before - after) * 100 < VAIN_PERCENT * before || before === 0;
}

/** Percent of the limit below which no room is needed. */
const ROOMY_PERCENT = 30;

/** Says what frees more than a trim that would free next to nothing, in tokens; 0 where it does not. */
export function insteadText(
  { deep, newest, percent }: { deep: number; newest: number; percent: number },
): string {
  const more = [
    ...(deep === 0 ? [] : [`--depth deep frees ${grouped(deep)} tokens`]),
    ...(newest === 0 ? [] : [`the newest outputs hold ${grouped(newest)} (--keep-recent 0)`]),
  ];
  if (more.length > 0) return `What would help: ${more.join("; ")}`;
  return percent < ROOMY_PERCENT
    ? `There is room: the context is at ${percent}%`
    : "What would help: /rollover";
}

/** One line that says how full the window is and what to do about it, by what that frees if known. */
export function warningText(
  percent: number,
  level: RaisedLevel,
  freed?: FreedAmounts,
  options?: AdviceOptions,
): string {
  if (!Number.isSafeInteger(percent) || percent < 0) {
    throw new RangeError(`Cannot word a warning: percent is ${percent}, expected a whole number`);
  }
  return `Context at ${percent}%. ${adviceText(level, freed, options)}`;
}

/** The line that warns, in figures that the user finds on the screen too. */
export function pressureText(
  pressure: Pick<SessionPressure, "tokens" | "limit" | "percent">,
  level: RaisedLevel,
  freed?: FreedAmounts,
  options?: AdviceOptions,
): string {
  const { tokens, limit, percent } = pressure;
  const words = warningText(percent ?? 0, level, freed, options);
  return `${words} (${grouped(tokens ?? 0)} of ${grouped(limit)} tokens)`;
}
