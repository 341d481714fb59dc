/** Advice for a full window: one remedy, chosen by what each would free and when it pays back. */

import { grouped } from "../inject/bound.ts";
import type { FreedRecord } from "../store/state.ts";
import type { SessionPressure } from "./judge.ts";
import type { WarningLevel } from "./ladder.ts";

export type FreedAmounts =
  & Pick<FreedRecord, "at_tokens" | Remedy>
  & Partial<Pick<FreedRecord, "paid_back_after" | "cache_ttl_seconds" | "newest_at">>;

/** A level at which there is something to say. */
export type RaisedLevel = Exclude<WarningLevel, "ok">;

/** From this share of the context on a trim is worth recommending, in percent. */
export const WORTHWHILE_PERCENT = 10;

/** A record holds until the context has grown or shrunk by this, in percent. */
const STALE_PERCENT = 10;

type Remedy = "light" | "deep" | "rollover";

const REMEDY_COMMANDS: Readonly<Record<Remedy, string>> = Object.freeze({
  light: "/trim",
  deep: "/trim --depth deep",
  rollover: "/rollover",
});

/**
 * Likely number of requests still to come. Among 156 real sessions, the median of those that filled 60,
 * 75 or 85 % of 180,000 tokens was 51, 49 and 45 more; length so far and pace predicted no better (rank
 * correlations within 0.2).
 */
const LIKELY_REQUESTS = 50;

/** Lifetime of the prompt cache where a session does not tell, in seconds. */
const USUAL_TTL_SECONDS = 300;

/** When the advice is given; without a level, room is needed whatever it costs. */
export interface AdviceMoment {
  readonly level?: WarningLevel | null;
  /** Tokens of the context now. @default {unknown: the prompt cache counts as warm} */
  readonly tokens?: number | null;
  /** Milliseconds since 1970. @default {unknown: the prompt cache counts as warm} */
  readonly nowMs?: number | undefined;
}

interface Recommendation {
  /** `none` where no trim pays back within {@linkcode LIKELY_REQUESTS}, and none is forced. */
  readonly remedy: Remedy | "none";
  /** Empty for `none`. */
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

/**
 * The least disruptive remedy that frees enough and pays back, else the last; without a record, the
 * first.
 */
export function recommend(
  record: FreedAmounts | undefined,
  moment: AdviceMoment = {},
  enoughPercent = WORTHWHILE_PERCENT,
): Recommendation {
  if (record === undefined) return { remedy: "light", command: "/trim", freed: null };
  const isEnough = (one: Remedy): boolean => record[one] * 100 >= enoughPercent * record.at_tokens;
  const isForced = (moment.level ?? "urgent") === "urgent" || isCacheCold(record, moment);
  const trims = (["light", "deep"] as const).filter(isEnough);
  const remedy = trims.find((one) => isForced || isPaidBack(record, one)) ??
    (trims.length === 0 ? "rollover" : "none");
  if (remedy === "none") return { remedy, command: "", freed: null };
  // The API's count can exceed the messages; a rollover's share is then unknown.
  const freed = isEnough(remedy) ? record[remedy] : null;
  return { remedy, command: REMEDY_COMMANDS[remedy], freed };
}

function isPaidBack({ paid_back_after: after }: FreedAmounts, trim: "light" | "deep"): boolean {
  return after === undefined || (after[trim] ?? Infinity) <= LIKELY_REQUESTS;
}

/** Whether the prompt cache has expired: the next request then writes it anew, trimmed or not. */
function isCacheCold(record: FreedAmounts, { tokens, nowMs = 0 }: AdviceMoment): boolean {
  // Since a record of another size there was a request, which used the cache.
  if (tokens !== record.at_tokens) return false;
  const ttl = record.cache_ttl_seconds ?? USUAL_TTL_SECONDS;
  return nowMs > Date.parse(record.newest_at ?? "") + ttl * 1000;
}

/** Actions that happen without the user, and the moment. */
export interface AdviceOptions extends Omit<AdviceMoment, "level"> {
  /** Whether a trim in place comes before the client compacts automatically. @default {false} */
  readonly isTrimFirst?: boolean;
}

/** One sentence that recommends one thing, and says what the others would free. */
export function adviceText(
  level: RaisedLevel,
  record: FreedAmounts | undefined,
  { isTrimFirst = false, ...moment }: AdviceOptions = {},
): string {
  const { remedy, command, freed } = recommend(record, { ...moment, level });
  const opening = {
    warn: `Consider ${command} if response quality feels degraded`,
    recommend: `Recommend ${command} soon`,
    // A trim that frees little does not keep the client from compacting.
    urgent: isTrimFirst && remedy !== "rollover"
      ? `Use ${command} now, or trimtab trims before the client compacts`
      : `Use ${command} now to avoid lossy auto-compaction`,
  }[level];
  if (record === undefined) return `${opening}.`;
  const others = (["light", "deep", "rollover"] as const).filter((one) => one !== remedy)
    .map((one) => `${REMEDY_COMMANDS[one]} ${grouped(record[one])}`).join(", ");
  if (remedy === "none") {
    const { light, deep } = record.paid_back_after ?? { light: null, deep: null };
    const after = grouped(Math.min(light ?? Infinity, deep ?? Infinity));
    return `Going on costs less: a trim pays back after ${after} requests, and half of such ` +
      `sessions end within ${LIKELY_REQUESTS} (${others}).`;
  }
  const worth = freed === null ? "a trim frees little" : `it frees about ${grouped(freed)} tokens`;
  const price = isCacheCold(record, moment) && remedy !== "rollover"
    ? " at no extra cost, as the prompt cache has expired"
    : "";
  return `${opening}: ${worth}${price} (${others}).`;
}

/** Offered once in a session: trims can run by themselves. */
export const TRIM_AT_OFFER = "Set [inside] trim_at_percent to have it trimmed when a turn ends";

/** The same in as few words as a table or a status line has room for. */
export function adviceWords(
  record: FreedAmounts | undefined,
  moment: AdviceMoment = {},
  sizeText: (tokens: number) => string = grouped,
): string {
  const { remedy, command, freed } = recommend(record, moment);
  if (remedy === "none") return "a trim would not pay yet";
  if (record === undefined) return `${command} makes room`;
  return freed === null ? command : `${command} frees ${sizeText(freed)}`;
}

/** Under this share of the context, in percent, a trim is not worth the cache that it costs. */
const TOO_SMALL_PERCENT = 2;

export function isTooSmall({ before, after }: { before: number; after: number }): boolean {
  return (before - after) * 100 < TOO_SMALL_PERCENT * before || before === 0;
}

/** Percent of the limit below which no room is needed. */
const ROOMY_PERCENT = 30;

/** Says what frees more than a trim that would free next to nothing, in tokens; 0 where it does not. */
export function insteadText(
  { deep, newest, percent }: { deep: number; newest: number; percent: number },
): string {
  const more = [
    ...(deep === 0 ? [] : [`adding --depth deep frees ${grouped(deep)} tokens`]),
    ...(newest === 0
      ? []
      : [`adding --keep-recent 0 frees ${grouped(newest)} of the newest outputs`]),
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
  const words = warningText(percent ?? 0, level, freed, { ...options, tokens });
  return `${words} (${grouped(tokens ?? 0)} of ${grouped(limit)} tokens)`;
}
