/** Recommends a trim or a rollover, based on the tokens that each frees and on when it pays back. */

import { grouped } from "../inject/bound.ts";
import type { FreedRecord } from "../store/state.ts";
import { SHORT_TTL_SECONDS } from "../transcript/tokens/prices.ts";
import type { SessionPressure } from "./judge.ts";
import type { WarningLevel } from "./ladder.ts";
import type { LimitKind } from "./limit.ts";

export type FreedAmounts =
  & Pick<FreedRecord, "at_tokens" | Remedy>
  & Partial<Pick<FreedRecord, "paid_back_after" | "cache_ttl_seconds" | "newest_at">>;

export type RaisedLevel = Exclude<WarningLevel, "ok">;

export const WORTHWHILE_PERCENT = 10;

/** A record is outdated if the context's size has changed by more than this percentage. */
const STALE_PERCENT = 10;

type Remedy = "light" | "deep" | "rollover";

const REMEDY_COMMANDS: Readonly<Record<Remedy, string>> = {
  light: "/trim",
  deep: "/trim --depth deep",
  rollover: "/rollover",
};

/** Median of the remaining requests in 156 real sessions that had filled 60 to 85% of 180,000 tokens. */
const LIKELY_REQUESTS = 50;

export interface AdviceMoment {
  /** At `urgent` or without a level, a trim is recommended even if it does not pay back. */
  readonly level?: WarningLevel | null;
  readonly tokens?: number | null;
  /** In milliseconds since 1970. @default {unknown: the prompt cache counts as warm} */
  readonly nowMs?: number | undefined;
}

interface Recommendation {
  /** `none` if trims free enough, but do not pay back within {@linkcode LIKELY_REQUESTS} requests. */
  readonly remedy: Remedy | "none";
  readonly command: string;
  /** Null if there is no record or no remedy, or if the recorded figure for a rollover is too low to show. */
  readonly freed: number | null;
}

export function isFresh<T extends FreedAmounts>(
  record: T | undefined,
  tokens: number,
): record is T {
  if (record === undefined) return false;
  return Math.abs(tokens - record.at_tokens) * 100 <= STALE_PERCENT * record.at_tokens;
}

/**
 * Recommends the lightest trim that frees enough and pays back; at `urgent`, or once the prompt cache has
 * expired, it need not pay back. Recommends a rollover if no trim frees enough.
 */
export function recommend(
  record: FreedAmounts | undefined,
  moment: AdviceMoment = {},
  enoughPercent = WORTHWHILE_PERCENT,
): Recommendation {
  if (record === undefined) return { remedy: "light", command: "/trim", freed: null };
  const isEnough = (name: Remedy): boolean =>
    record[name] * 100 >= enoughPercent * record.at_tokens;
  const ignoresPayback = (moment.level ?? "urgent") === "urgent" || isCacheCold(record, moment);
  const trims = (["light", "deep"] as const).filter(isEnough);
  const remedy = trims.find((trim) => ignoresPayback || isPaidBack(record, trim)) ??
    (trims.length === 0 ? "rollover" : "none");
  if (remedy === "none") return { remedy, command: "", freed: null };
  // If even a rollover frees little according to the record, the figure is not shown, because it may be too
  // low: the API can count far more tokens than the messages contain.
  const freed = isEnough(remedy) ? record[remedy] : null;
  return { remedy, command: REMEDY_COMMANDS[remedy], freed };
}

function isPaidBack({ paid_back_after: after }: FreedAmounts, trim: "light" | "deep"): boolean {
  return after === undefined || (after[trim] ?? Infinity) <= LIKELY_REQUESTS;
}

/** Whether the prompt cache has expired, so that the next request rewrites it with or without a trim. */
function isCacheCold(record: FreedAmounts, { tokens, nowMs = 0 }: AdviceMoment): boolean {
  // If the size has changed since the record, a later request has refreshed the cache.
  if (tokens !== record.at_tokens) return false;
  const ttl = record.cache_ttl_seconds ?? SHORT_TTL_SECONDS;
  return nowMs > Date.parse(record.newest_at ?? "") + ttl * 1000;
}

interface AdviceOptions extends Omit<AdviceMoment, "level"> {
  /** Whether trimtab trims in place before the client compacts automatically. @default {false} */
  readonly isTrimFirst?: boolean;
  /** @default {"compaction"} */
  readonly limitKind?: LimitKind;
}

/** Whether a deep trim would leave at most `maxPercent` of the limit, so that no compaction follows. */
export function isTrimCertain(
  record: FreedAmounts | undefined,
  { limit, limitKind }: { readonly limit: number; readonly limitKind: LimitKind },
  maxPercent: number,
): boolean {
  return limitKind === "compaction" && record !== undefined &&
    (record.at_tokens - record.deep) * 100 <= maxPercent * limit;
}

export function warningText(
  percent: number,
  level: RaisedLevel,
  record?: FreedAmounts,
  { isTrimFirst = false, limitKind, ...moment }: AdviceOptions = {},
): string {
  const { remedy, command, freed } = recommend(record, { ...moment, level });
  const opening = {
    warn: `Consider ${command} if response quality feels degraded`,
    recommend: `Recommend ${command} soon`,
    // A rollover is recommended only if a trim frees too little to prevent the compaction.
    urgent: isTrimFirst && remedy !== "rollover"
      ? `Use ${command} now, or trimtab trims before the client compacts`
      : limitKind === "answer"
      ? `Use ${command} now, before the window is full`
      : `Use ${command} now to avoid lossy auto-compaction`,
  }[level];
  const lead = `Context at ${percent}%. `;
  if (record === undefined) return `${lead}${opening}.`;
  const others = (["light", "deep", "rollover"] as const).filter((name) => name !== remedy)
    .map((name) => `${REMEDY_COMMANDS[name]} ${grouped(record[name])}`).join(", ");
  if (remedy === "none") {
    // A deep trim leaves less to write to the cache, so it pays back sooner than a light trim.
    const requests = grouped(record.paid_back_after?.deep ?? Infinity);
    return `${lead}A trim would not pay off yet: it pays back after ${requests} requests, and half of all ` +
      `sessions that are this full end within ${LIKELY_REQUESTS} more requests (${others}).`;
  }
  const worth = freed === null ? "a trim frees little" : `it frees about ${grouped(freed)} tokens`;
  const price = isCacheCold(record, moment) && remedy !== "rollover"
    ? " at no extra cost, as the prompt cache has expired"
    : "";
  return `${lead}${opening}: ${worth}${price} (${others}).`;
}

/** Shown once per session, after the warning. */
export const TRIM_AT_OFFER = " Set [inside] trim_at_percent to trim when a turn ends.";

export function shortAdvice(
  record: FreedAmounts | undefined,
  moment: AdviceMoment = {},
  sizeText: (tokens: number) => string = grouped,
): string {
  const { remedy, command, freed } = recommend(record, moment);
  if (remedy === "none") return "a trim would not pay off yet";
  if (record === undefined) return `${command} makes room`;
  return freed === null ? command : `${command} frees ${sizeText(freed)}`;
}

/** Percentage of the context. A smaller saving does not justify rebuilding the prompt cache. */
const TOO_SMALL_PERCENT = 2;

export function isTooSmall({ before, after }: { before: number; after: number }): boolean {
  return (before - after) * 100 < TOO_SMALL_PERCENT * before || before === 0;
}

export function isWorthwhile({ before, after }: { before: number; after: number }): boolean {
  return (before - after) * 100 >= WORTHWHILE_PERCENT * before;
}

/** Below this percentage of the limit, the window has enough room. */
const ROOMY_PERCENT = 30;

/** `deep` and `newest` are the additional tokens that `--depth deep` and `--keep-recent 0` would free. */
export function alternativeText(
  { deep, newest, percent, otherwise = "This would help: /rollover" }: {
    readonly deep: number;
    readonly newest: number;
    readonly percent: number;
    readonly otherwise?: string | undefined;
  },
): string {
  const more = [
    ...(deep === 0 ? [] : [`adding --depth deep frees ${grouped(deep)} tokens`]),
    ...(newest === 0
      ? []
      : [`adding --keep-recent 0 frees ${grouped(newest)} tokens of the newest outputs`]),
  ];
  if (more.length > 0) return `This would help: ${more.join("; ")}`;
  return percent < ROOMY_PERCENT ? `There is room: the context is at ${percent}%` : otherwise;
}

export function pressureText(
  pressure: Pick<SessionPressure, "tokens" | "limit" | "limitKind" | "percent">,
  level: RaisedLevel,
  freed?: FreedAmounts,
  options?: AdviceOptions,
): string {
  const { tokens, limit, limitKind, percent } = pressure;
  const warning = warningText(percent ?? 0, level, freed, { ...options, limitKind, tokens });
  return `${warning} In use: ${grouped(tokens ?? 0)} of ${grouped(limit)} tokens.`;
}
