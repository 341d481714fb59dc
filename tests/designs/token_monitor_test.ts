import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_MAX_TOKENS, THRESHOLDS, TokenMonitor } from "../../src/designs/token_monitor.ts";

Deno.test("TokenMonitor changes level and recommendation exactly at each threshold", () => {
  const monitor = new TokenMonitor();
  const rows = [
    [0, 0, "ok", "ok"],
    [499_999, 49.9999, "ok", "ok"],
    [500_000, 50, "ok", "ok"],
    [699_999, 69.9999, "ok", "ok"],
    [700_000, 70, "consider", "consider_snapshot"],
    [849_999, 84.9999, "consider", "consider_snapshot"],
    [850_000, 85, "recommended", "snapshot_recommended"],
    [949_999, 94.9999, "recommended", "snapshot_recommended"],
    [950_000, 95, "urgent", "snapshot_urgent"],
    [1_500_000, 150, "urgent", "snapshot_urgent"],
  ] as const;
  for (const [tokens, percentage, status, word] of rows) {
    const usage = monitor.checkUsage(tokens);
    assertEquals([usage.percentage, usage.threshold_status], [percentage, status]);
    assertEquals(monitor.getRecommendation(percentage), word, `at ${percentage}`);
  }
});

Deno.test("TokenMonitor rejects a negative count, a window that is not positive, and values that are not numbers", () => {
  const monitor = new TokenMonitor();
  for (const tokens of [-1, NaN, -Infinity]) {
    assertThrows(() => monitor.checkUsage(tokens), RangeError, "expected 0 or more");
  }
  assertEquals(monitor.currentUsage, 0);
  for (const max of [0, -5, NaN, Infinity]) {
    assertThrows(() => new TokenMonitor(max), RangeError, `the window is ${max}`);
  }
  assertEquals(new TokenMonitor(200_000).maxTokens, 200_000);
});

Deno.test("THRESHOLDS has the documented fractions", () => {
  assertEquals(DEFAULT_MAX_TOKENS, 1_000_000);
  assertEquals(THRESHOLDS, { ok: 0.5, consider: 0.7, recommended: 0.85, urgent: 0.95 });
  assertEquals(new TokenMonitor().thresholds, THRESHOLDS);
});
