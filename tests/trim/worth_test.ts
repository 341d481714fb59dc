import { assert, assertEquals } from "@std/assert";
import { PRICE_RATIOS, priceRatios } from "../../src/transcript/tokens/prices.ts";
import { cacheTtlSeconds, describeWorth, paybackOf, trimWorth } from "../../src/trim/worth.ts";

const NEWEST = "2026-11-22T10:00:00.000Z";

function after(seconds: number): Date {
  return new Date(Date.parse(NEWEST) + seconds * 1000);
}

Deno.test("trimWorth() includes the cost of rebuilding the cache while it is warm", () => {
  const worth = trimWorth({
    tokens: { before: 150_000, after: 50_000 },
    model: "claude-opus-4-8",
    newestAt: NEWEST,
    cacheTtlSeconds: 300,
    now: after(299),
  });
  assertEquals(worth, {
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

Deno.test("trimWorth() pays at once when the cache is cold", () => {
  const input = { tokens: { before: 150_000, after: 50_000 }, newestAt: NEWEST };
  const worth = trimWorth({ ...input, now: after(300) });
  assertEquals(worth.is_cache_warm, false);
  assertEquals(worth.rebuild_cost, (50_000 - 150_000) * 1.25);
  assertEquals(worth.paid_back_after, 1);
  assertEquals(worth.cache_ttl_source, "default");
});

Deno.test("trimWorth() uses the prices and lifetime of the one-hour cache if the session has it", () => {
  const input = { tokens: { before: 100_000, after: 20_000 }, newestAt: NEWEST };
  const worth = trimWorth({ ...input, cacheTtlSeconds: 3600, now: after(3599) });
  assertEquals(worth.is_cache_warm, true);
  assertEquals(worth.rebuild_cost, 3_500 * 2 + 16_500 * 0.1 - 100_000 * 0.1);
  const later = trimWorth({ ...input, cacheTtlSeconds: 3600, now: after(3600) });
  assertEquals(later.is_cache_warm, false);
});

Deno.test("trimWorth() counts the cache as warm if no message has a time", () => {
  const tokens = { before: 100_000, after: 20_000 };
  for (const newestAt of [undefined, "yesterday"]) {
    const worth = trimWorth({ tokens, newestAt, now: after(0) });
    assertEquals([worth.is_cache_warm, worth.cache_age_seconds], [null, null]);
    assertEquals(worth.rebuild_cost, 3_500 * 1.25 + 16_500 * 0.1 - 10_000);
  }
  // This machine's clock can be behind the clock of the machine that wrote the message.
  const early = trimWorth({ tokens, newestAt: NEWEST, now: after(-60) });
  assertEquals(early.cache_age_seconds, 0);
});

Deno.test("trimWorth() never pays back without savings", () => {
  const worth = trimWorth({ tokens: { before: 9, after: 9 }, newestAt: NEWEST, now: after(0) });
  assertEquals(worth.paid_back_after, null);
  assert(describeWorth(worth).startsWith("A trim would save no tokens"));
});

Deno.test("paybackOf() counts the request that a handoff and a compaction make", () => {
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
  // A compaction of a small context does not make it larger.
  const small = paybackOf({ light: 0, deep: 9, rollover: 9 }, {
    tokens: 40_000,
    model: undefined,
    isWarm: true,
  });
  assertEquals([small.light, small.compact], [null, null]);
});

Deno.test("describeWorth() states the cost and when it is paid back", () => {
  const input = { tokens: { before: 150_000, after: 50_000 }, newestAt: NEWEST };
  assertEquals(
    describeWorth(trimWorth({ ...input, now: after(130) })),
    "Every request would have 100,000 fewer tokens. The prompt cache is still warm (last used 2 min " +
      "ago, kept for 5 min), so trimming now costs the equivalent of 28,525 input tokens once and " +
      "pays back after 4 requests.",
  );
});

Deno.test("describeWorth() names ages in the unit that fits", () => {
  const description = (seconds: number): string | undefined => {
    const tokens = { before: 2, after: 1 };
    const worth = trimWorth({ tokens, newestAt: NEWEST, now: after(seconds) });
    return /last used (.*) ago/.exec(describeWorth(worth))?.[1];
  };
  const seconds = [5, 59, 60, 3599, 3600, 5460, 3600 * 47, 3600 * 48, 86_400 * 3];
  const expectedAges = "5 s, 59 s, 1 min, 59 min, 1 h, 1 h 31 min, 47 h, 2 days, 3 days";
  assertEquals(seconds.map(description).join(", "), expectedAges);
});

Deno.test("cacheTtlSeconds() derives the lifetime of the cache from the tokens written to it", () => {
  const written = (five: unknown, hour: unknown): number | undefined =>
    cacheTtlSeconds({
      cache_creation: { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour },
    });
  assertEquals(written(10, 0), 300);
  assertEquals(written(0, 10), 3600);
  assertEquals(written(10, 10), 3600);
  assertEquals(written(0, 0), undefined);
  assertEquals(written("10", null), undefined);
  assertEquals(cacheTtlSeconds({ cache_creation: null }), undefined);
  assertEquals(cacheTtlSeconds({}), undefined);
});

Deno.test("priceRatios() has lower ratios for models with cheaper cache reads", () => {
  assertEquals(priceRatios(undefined), PRICE_RATIOS);
  assertEquals(priceRatios("claude-opus-5").cacheRead, 0.1);
  assertEquals(priceRatios("claude-opus-5-5").cacheRead, 0.05);
  assertEquals(priceRatios("claude-sonnet-5-5[1m]").cacheRead, 0.05);
  assertEquals(priceRatios("claude-opus-5-50").cacheRead, 0.1);
  assertEquals(priceRatios("claude-fable-5-1").cacheRead, 0.025);
  assertEquals(priceRatios("claude-sonnet-4-6-20250929"), PRICE_RATIOS);
});
