import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { levelAt } from "../../src/gauge/ladder.ts";
import {
  DEFAULT_MAX_TOKENS,
  MONITOR_LADDER,
  type MonitorRecommendation,
  THRESHOLDS,
  TokenMonitor,
} from "../../src/designs/token_monitor.ts";

const RUNS = { numRuns: 500, seed: 20260302 };

Deno.test("TokenMonitor.checkUsage() gives the documented answer for a healthy session", () => {
  assertEquals(new TokenMonitor().checkUsage(45_000), {
    current_tokens: 45_000,
    max_tokens: 1_000_000,
    percentage: 4.5,
    threshold_status: "ok",
    recommendation: "Context is healthy. No action needed.",
  });
});

Deno.test("TokenMonitor.checkUsage() changes its level exactly at each threshold", () => {
  const monitor = new TokenMonitor();
  const rows = [
    [0, 0, "ok"],
    [499_999, 49.9999, "ok"],
    [500_000, 50, "ok"],
    [699_999, 69.9999, "ok"],
    [700_000, 70, "consider"],
    [849_999, 84.9999, "consider"],
    [850_000, 85, "recommended"],
    [949_999, 94.9999, "recommended"],
    [950_000, 95, "urgent"],
    [999_999, 99.9999, "urgent"],
    [1_000_000, 100, "urgent"],
    [1_500_000, 150, "urgent"],
  ] as const;
  for (const [tokens, percentage, status] of rows) {
    const usage = monitor.checkUsage(tokens);
    assertEquals(usage.percentage, percentage);
    assertEquals(usage.threshold_status, status, `at ${tokens}`);
  }
});

Deno.test("TokenMonitor.checkUsage() has a sentence of its own for each level", () => {
  const monitor = new TokenMonitor(100);
  const sentences = [0, 70, 85, 95].map((tokens) => monitor.checkUsage(tokens).recommendation);
  assertEquals(new Set(sentences).size, 4);
  for (const sentence of sentences) assert(/^Context is .+\.$/.test(sentence), sentence);
});

Deno.test("TokenMonitor.checkUsage() remembers the newest count", () => {
  const monitor = new TokenMonitor(200_000);
  assertEquals(monitor.currentUsage, 0);
  monitor.checkUsage(10);
  monitor.checkUsage(7);
  assertEquals(monitor.currentUsage, 7);
});

Deno.test("TokenMonitor.checkUsage() reaches a threshold at a whole count in a window of any size", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.constantFrom([70, "consider"], [85, "recommended"], [95, "urgent"] as const),
      (twentieth, [percent, status]) => {
        const max = twentieth * 20;
        const monitor = new TokenMonitor(max);
        const tokens = (max * Number(percent)) / 100;
        assertEquals(monitor.checkUsage(tokens).threshold_status, status);
        assert(monitor.checkUsage(tokens - 1).threshold_status !== status);
      },
    ),
    RUNS,
  );
});

Deno.test("TokenMonitor.checkUsage() refuses counts that are negative or no numbers", () => {
  const monitor = new TokenMonitor();
  for (const tokens of [-1, NaN, Infinity, -Infinity]) {
    assertThrows(() => monitor.checkUsage(tokens), RangeError, `token count is ${tokens}`);
  }
  assertEquals(monitor.currentUsage, 0);
});

Deno.test("TokenMonitor.getRecommendation() changes exactly at 70, 85 and 95 percent", () => {
  const monitor = new TokenMonitor();
  const rows: readonly (readonly [number, MonitorRecommendation])[] = [
    [0, "ok"],
    [50, "ok"],
    [69.99, "ok"],
    [70, "consider_snapshot"],
    [84.99, "consider_snapshot"],
    [85, "snapshot_recommended"],
    [94.99, "snapshot_recommended"],
    [95, "snapshot_urgent"],
    [100, "snapshot_urgent"],
    [120, "snapshot_urgent"],
  ];
  for (const [percentage, word] of rows) {
    assertEquals(monitor.getRecommendation(percentage), word, `at ${percentage}`);
  }
});

Deno.test("TokenMonitor.getRecommendation() refuses what is no percentage", () => {
  for (const percentage of [-0.1, NaN, Infinity]) {
    assertThrows(() => new TokenMonitor().getRecommendation(percentage), RangeError);
  }
});

Deno.test("TokenMonitor() refuses a window that is not positive", () => {
  for (const max of [0, -5, NaN, Infinity]) {
    assertThrows(() => new TokenMonitor(max), RangeError, `the window is ${max}`);
  }
  assertEquals(new TokenMonitor(200_000).maxTokens, 200_000);
});

Deno.test("THRESHOLDS has the documented fractions, which are those of the ladder", () => {
  assertEquals(DEFAULT_MAX_TOKENS, 1_000_000);
  assertEquals(THRESHOLDS, { ok: 0.5, consider: 0.7, recommended: 0.85, urgent: 0.95 });
  assertEquals(new TokenMonitor().thresholds, THRESHOLDS);
  for (const step of MONITOR_LADDER.steps) assertEquals(THRESHOLDS[step.level], step.at / 100);
});

Deno.test("levelAt() stands on the monitor's ladder at 50, 70, 85 and 95", () => {
  const rows = [
    [0, "ok"],
    [49.999, "ok"],
    [50, "ok"],
    [69.999, "ok"],
    [70, "consider"],
    [84.999, "consider"],
    [85, "recommended"],
    [94.999, "recommended"],
    [95, "urgent"],
    [100, "urgent"],
    [130, "urgent"],
  ] as const;
  for (const [value, level] of rows) assertEquals(levelAt(value, MONITOR_LADDER), level);
  assertEquals(MONITOR_LADDER.steps.map((step) => step.at), [50, 70, 85, 95]);
});
