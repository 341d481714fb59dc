import { assert, assertEquals } from "@std/assert";
import { PRICE_RATIOS, priceRatios } from "../../src/transcript/tokens/prices.ts";
import {
  cacheTtlSeconds,
  describeWorth,
  paybackOf,
  type TrimWorth,
  trimWorth,
} from "../../src/trim/worth.ts";

const NEWEST = "2026-11-22T10:00:00.000Z";

function worthAfter(
  seconds: number,
  [before, after]: readonly [before: number, after: number],
  more: Partial<Parameters<typeof trimWorth>[0]> = {},
): TrimWorth {
  const now = new Date(Date.parse(NEWEST) + seconds * 1000);
  return trimWorth({ tokens: { before, after }, newest_at: NEWEST, ...more }, now);
}

Deno.test("trimWorth() includes the cost of rebuilding the cache while it is warm", () => {
  const more = { model: "claude-opus-4-8", cache_ttl_seconds: 300 };
  assertEquals(worthAfter(299, [150_000, 50_000], more), {
    rebuild_cost: (50_000 - 16_500) * 1.25 + 16_500 * 0.1 - 150_000 * 0.1,
    saved_per_request: 10_000,
    tokens_saved: 100_000,
    paid_back_after: 4,
    is_cache_warm: true,
    cache_age_seconds: 299,
    cache_ttl_seconds: 300,
    cache_ttl_source: "session",
  });
});

Deno.test("trimWorth() reports that a trim pays back at once when the cache is cold", () => {
  const worth = worthAfter(300, [150_000, 50_000]);
  assertEquals([worth.is_cache_warm, worth.cache_ttl_source], [false, "default"]);
  assertEquals(worth.rebuild_cost, (50_000 - 150_000) * 1.25);
  assertEquals(worth.paid_back_after, 1);
});

Deno.test("trimWorth() uses the prices and lifetime of the one-hour cache if the session uses that cache", () => {
  const hour = { cache_ttl_seconds: 3600 };
  const worth = worthAfter(3599, [100_000, 20_000], hour);
  assertEquals(worth.is_cache_warm, true);
  assertEquals(worth.rebuild_cost, 3_500 * 2 + 16_500 * 0.1 - 100_000 * 0.1);
  assertEquals(worthAfter(3600, [100_000, 20_000], hour).is_cache_warm, false);
});

Deno.test("trimWorth() computes the cost for a warm cache if no message has a valid time, and reports no negative age", () => {
  for (const newest_at of [undefined, "yesterday"]) {
    const worth = worthAfter(0, [100_000, 20_000], { newest_at });
    assertEquals([worth.is_cache_warm, worth.cache_age_seconds], [null, null]);
    assertEquals(worth.rebuild_cost, 3_500 * 1.25 + 16_500 * 0.1 - 10_000);
  }
  // This machine's clock can be behind the clock of the machine that wrote the message.
  assertEquals(worthAfter(-60, [100_000, 20_000]).cache_age_seconds, 0);
});

Deno.test("trimWorth() reports no payback for a trim without savings", () => {
  const worth = worthAfter(0, [9, 9]);
  assertEquals(worth.paid_back_after, null);
  assert(describeWorth(worth).startsWith("A trim would save no tokens"));
});

Deno.test("paybackOf() counts the extra request of a handoff or a compaction", () => {
  const freed = { light: 60_000, deep: 80_000, rollover: 125_000 };
  const payback = paybackOf(freed, { tokens: 150_000, model: undefined, isWarm: true });
  const after = (size: number, request: number, saved: number): number =>
    1 + Math.ceil((request + (size - 16_500) * 1.25 + 1_650 - 15_000) / (saved * 0.1));
  assertEquals(payback, {
    light: after(90_000, 0, 60_000),
    deep: after(70_000, 0, 80_000),
    rollover: after(25_000, 15_000 + 1_500 * 5, 125_000),
    compact: after(50_000, 15_000 + 3_000 * 5, 100_000),
  });
  const cold = paybackOf(freed, { tokens: 150_000, model: undefined, isWarm: false });
  assertEquals([cold.light, cold.deep], [1, 1]);
  // The context is already smaller than after a typical compaction, so a compaction never pays back.
  const clues = { tokens: 40_000, model: undefined, isWarm: true };
  const small = paybackOf({ light: 0, deep: 9, rollover: 9 }, clues);
  assertEquals([small.light, small.compact], [null, null]);
});

Deno.test("describeWorth() reports the cost and the payback time", () => {
  assertEquals(
    describeWorth(worthAfter(130, [150_000, 50_000])),
    "Every request would have 100,000 fewer tokens. The prompt cache is still warm (last used 2m " +
      "ago, kept for 5m), so trimming now costs the equivalent of 28,525 input tokens once and " +
      "pays back after 4 requests.",
  );
});

Deno.test("cacheTtlSeconds() derives the lifetime of the cache from the tokens written to it", () => {
  const written = (five: unknown, hour: unknown): number | undefined => {
    const counts = { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour };
    return cacheTtlSeconds({ cache_creation: counts });
  };
  assertEquals([written(10, 0), written(0, 10), written(10, 10)], [300, 3600, 3600]);
  const unknown = [written(0, 0), written("10", null), cacheTtlSeconds({ cache_creation: null })];
  assertEquals([...unknown, cacheTtlSeconds({})], Array(4).fill(undefined));
});

Deno.test("priceRatios() returns a lower ratio for models with cheaper cache reads, in any spelling of their names", () => {
  assertEquals(priceRatios(undefined), PRICE_RATIOS);
  assertEquals(priceRatios("claude-sonnet-4-6-20250929"), PRICE_RATIOS);
  const ratios = {
    0.1: ["claude-opus-5", "claude-opus-5-50"],
    0.05: ["claude-opus-5-5", "claude-sonnet-5-5[1m]", "claude-opus-5.5-v1:0"]
      .concat("us.anthropic.claude-opus-5-5-v1:0", "anthropic/claude-opus-5-5"),
    0.025: ["claude-fable-5-1"],
  };
  for (const [ratio, models] of Object.entries(ratios)) {
    for (const model of models) assertEquals(priceRatios(model).cacheRead, Number(ratio), model);
  }
});
