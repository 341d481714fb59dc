/** Computes when a trim pays off: the cache is rebuilt once, but later requests are cheaper. */

import { ageText, durationText, grouped, MAX_CONTEXT_CHARS } from "../inject/bound.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { priceRatios, SHORT_TTL_SECONDS } from "../transcript/tokens/prices.ts";
import { CHARACTERS_PER_TOKEN } from "../transcript/tokens/tokens.ts";

/** Lifetime of the prompt cache if the client requests an hour, in seconds. */
const LONG_TTL_SECONDS = 3600;

/** The system prompt and tools stay in the cache, with at least this size in 31 of 33 real sessions. */
const KEPT_PREFIX_TOKENS = 16_500;

/** Median size of the context after a compaction in real sessions. */
export const COMPACTED_TOKENS = 50_000;

/** Median length of the summary in real compactions. */
const SUMMARY_TOKENS = 3_000;

const HANDOFF_TOKENS = 1_500;

interface PricedTrim {
  readonly tokens: { readonly before: number; readonly after: number };
  readonly model?: string | undefined;
  readonly newest_at?: string | undefined;
  readonly cache_ttl_seconds?: number | undefined;
}

/** Costs and savings of a trim, in fresh-input-token equivalents. */
export interface TrimWorth {
  /** Extra cost of the copy's first request; negative if it is cheaper. */
  rebuild_cost: number;
  /** Cost saved by each later request. */
  saved_per_request: number;
  /** Tokens that every later request saves. */
  tokens_saved: number;
  /** Number of requests after which the trim has paid for itself; `null` if it never does. */
  paid_back_after: number | null;
  /** Whether the session's cache can still be read; `null` if the time of the newest answer is unknown. */
  is_cache_warm: boolean | null;
  /** Age of the newest answer, in seconds; `null` if its time is unknown. */
  cache_age_seconds: number | null;
  /** Lifetime of the cache after its last use, in seconds. */
  cache_ttl_seconds: number;
  /** Whether the lifetime is from the session's usage or the default. */
  cache_ttl_source: "session" | "default";
}

export function trimWorth(
  { tokens: { before, after }, model, newest_at, cache_ttl_seconds: known }: PricedTrim,
  now: Date,
): TrimWorth {
  const ttl = known ?? SHORT_TTL_SECONDS;
  const time = Date.parse(newest_at ?? "");
  // The clock that dated the message can be ahead of this machine's clock.
  const age = Number.isNaN(time) ? null : Math.max(0, (now.getTime() - time) / 1000);
  const isWarm = age === null ? null : age < ttl;
  const costs = costsOf({ before, after, model, ttl, isWarm });
  return {
    rebuild_cost: Math.round(costs.rebuild),
    saved_per_request: Math.round(costs.saved),
    tokens_saved: Math.max(0, before - after),
    paid_back_after: costs.paidBackAfter,
    is_cache_warm: isWarm,
    cache_age_seconds: age === null ? null : Math.round(age),
    cache_ttl_seconds: ttl,
    cache_ttl_source: known === undefined ? "default" : "session",
  };
}

interface Costs {
  readonly before: number;
  readonly after: number;
  readonly model: string | undefined;
  readonly ttl: number;
  readonly isWarm: boolean | null;
  /** Output of the request that creates the smaller context, in tokens. @default {no request} */
  readonly output?: number | undefined;
}

function costsOf(
  { before, after, model, ttl, isWarm, output }: Costs,
): { rebuild: number; saved: number; paidBackAfter: number | null } {
  const ratios = priceRatios(model);
  const write = ttl > SHORT_TTL_SECONDS ? ratios.cacheWrite1h : ratios.cacheWrite5m;
  // If no time is known, the cache counts as warm, which makes the trim look less worthwhile.
  const untrimmed = before * (isWarm === false ? write : ratios.cacheRead);
  const request = output === undefined ? 0 : untrimmed + output * ratios.output;
  const kept = isWarm === false && output === undefined ? 0 : Math.min(KEPT_PREFIX_TOKENS, after);
  const first = (after - kept) * write + kept * ratios.cacheRead;
  const rebuild = request + first - untrimmed;
  const saved = Math.max(0, before - after) * ratios.cacheRead;
  const paidBackAfter = saved === 0 ? null : 1 + Math.max(0, Math.ceil(rebuild / saved));
  return { rebuild, saved, paidBackAfter };
}

/** Computes {@linkcode TrimWorth.paid_back_after} for each way to shrink a context of `tokens`. */
export function paybackOf(
  freed: { readonly light: number; readonly deep: number; readonly rollover: number },
  { tokens, model, ttl = SHORT_TTL_SECONDS, isWarm }: Pick<Costs, "model" | "isWarm"> & {
    readonly tokens: number;
    readonly ttl?: number | undefined;
  },
): Record<"light" | "deep" | "rollover" | "compact", number | null> {
  const paybackAfter = (saved: number, output?: number): number | null => {
    const after = Math.max(0, tokens - saved);
    return costsOf({ before: tokens, after, model, ttl, isWarm, output }).paidBackAfter;
  };
  return {
    light: paybackAfter(freed.light),
    deep: paybackAfter(freed.deep),
    rollover: paybackAfter(freed.rollover, HANDOFF_TOKENS),
    compact: paybackAfter(tokens - COMPACTED_TOKENS, SUMMARY_TOKENS),
  };
}

export function rolloverSavings(messageTokens: number): number {
  return Math.max(0, Math.round(messageTokens - MAX_CONTEXT_CHARS / CHARACTERS_PER_TOKEN));
}

export function describeWorth(worth: TrimWorth): string {
  if (worth.paid_back_after === null) {
    return "A trim would save no tokens: it would only rebuild the prompt cache.";
  }
  const fewer = `Every request would have ${grouped(worth.tokens_saved)} fewer tokens.`;
  const cache = `The prompt cache is ${cacheState(worth)}, so trimming now`;
  if (worth.paid_back_after === 1) return `${fewer} ${cache} pays off from the first request.`;
  const cost = `costs the equivalent of ${grouped(worth.rebuild_cost)} input tokens once`;
  return `${fewer} ${cache} ${cost} and pays back after ${
    grouped(worth.paid_back_after)
  } requests.`;
}

export function cacheTtlSeconds(usage: JsonObject): number | undefined {
  const { cache_creation: written } = usage;
  if (!isObject(written)) return undefined;
  if (isPositive(written.ephemeral_1h_input_tokens)) return LONG_TTL_SECONDS;
  return isPositive(written.ephemeral_5m_input_tokens) ? SHORT_TTL_SECONDS : undefined;
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

function cacheState(worth: TrimWorth): string {
  const { cache_age_seconds: age, is_cache_warm: isWarm, cache_ttl_seconds: ttl } = worth;
  if (age === null) {
    return "assumed to be warm (the time of the last answer is unknown)";
  }
  const [used, kept] = [ageText(age * 1000), durationText(ttl * 1000)];
  return `${isWarm ? "still warm" : "cold"} (last used ${used}, kept for ${kept})`;
}
