import { assert, assertEquals } from "@std/assert";
import type { WarningLevel } from "../../src/gauge/ladder.ts";
import { decideWarning, isQuiet, type WarningMemory } from "../../src/gauge/warn.ts";

const NEVER: WarningMemory = { level: "ok", warnedAtMs: null };
const INTERVAL = 60;

/** Checks the given levels at the given seconds in turn, and lists each warning with its second. */
function warningsAt(
  checks: readonly (readonly [number, WarningLevel])[],
  interval = INTERVAL,
): string[] {
  let memory = NEVER;
  const warnings: string[] = [];
  for (const [second, level] of checks) {
    const timing = { nowMs: second * 1000, intervalSeconds: interval };
    const decision = decideWarning(level, memory, timing);
    if (decision.say !== null) {
      warnings.push(`${second} ${decision.say}${decision.isRise ? " rise" : ""}`);
    }
    memory = decision.memory;
  }
  return warnings;
}

Deno.test("decideWarning() warns at once when the level rises", () => {
  assertEquals(warningsAt([[0, "ok"], [1, "warn"]]), ["1 warn rise"]);
  assertEquals(warningsAt([[0, "urgent"]]), ["0 urgent rise"]);
  assertEquals(warningsAt([[0, "warn"], [60, "recommend"], [120, "urgent"]]), [
    "0 warn rise",
    "60 recommend rise",
    "120 urgent rise",
  ]);
});

Deno.test("decideWarning() warns again of an unchanged level only after ten intervals", () => {
  const checks = [0, 59, 60, 300, 599, 600, 601, 1199, 1200].map((s) => [s, "warn"] as const);
  assertEquals(warningsAt(checks), ["0 warn rise", "600 warn", "1200 warn"]);
});

Deno.test("decideWarning() warns only of a rise within an interval", () => {
  assertEquals(warningsAt([[0, "warn"], [59, "urgent"], [60, "urgent"], [61, "urgent"]]), [
    "0 warn rise",
    "59 urgent rise",
  ]);
  assertEquals(warningsAt([[0, "urgent"], [10, "warn"], [20, "urgent"]]), ["0 urgent rise"]);
});

Deno.test("decideWarning() is silent when the level falls, and warns when it rises again", () => {
  assertEquals(warningsAt([[0, "urgent"], [60, "warn"], [120, "ok"], [180, "ok"]]), [
    "0 urgent rise",
  ]);
  assertEquals(warningsAt([[0, "urgent"], [60, "warn"], [120, "recommend"]]), [
    "0 urgent rise",
    "120 recommend rise",
  ]);
  assertEquals(warningsAt([[0, "warn"], [60, "ok"], [120, "warn"]]), [
    "0 warn rise",
    "120 warn rise",
  ]);
});

Deno.test("decideWarning() warns of a lower level after ten intervals", () => {
  assertEquals(warningsAt([[0, "urgent"], [60, "warn"], [599, "warn"], [600, "warn"]]), [
    "0 urgent rise",
    "600 warn",
  ]);
});

Deno.test("decideWarning() warns each time when the interval is 0", () => {
  assertEquals(warningsAt([[0, "warn"], [0, "warn"], [1, "ok"]], 0), ["0 warn rise", "0 warn"]);
});

Deno.test("decideWarning() returns no new memory when nothing changed", () => {
  const timing = { nowMs: 100_000, intervalSeconds: INTERVAL };
  assert(decideWarning("ok", NEVER, timing).memory === NEVER);
  const warned: WarningMemory = { level: "warn", warnedAtMs: 1_000 };
  assert(decideWarning("warn", warned, timing).memory === warned);
  assertEquals(decideWarning("ok", warned, timing).memory, { level: "ok", warnedAtMs: 1_000 });
});

Deno.test("isQuiet() is true within the interval after a warning of the highest level", () => {
  const memory: WarningMemory = { level: "urgent", warnedAtMs: 10_000 };
  const isQuietAt = (nowMs: number): boolean =>
    isQuiet(memory, { nowMs, intervalSeconds: INTERVAL });
  assertEquals([10_000, 69_999, 70_000].map(isQuietAt), [true, true, false]);
  assertEquals(
    isQuiet({ ...memory, level: "warn" }, { nowMs: 10_000, intervalSeconds: 60 }),
    false,
  );
  assertEquals(isQuiet(NEVER, { nowMs: 0, intervalSeconds: INTERVAL }), false);
});

Deno.test("isQuiet() treats a warning slightly in the future as just given, but not one far in the future", () => {
  const memory: WarningMemory = { level: "urgent", warnedAtMs: 3_600_000 };
  const isQuietAt = (nowMs: number, intervalSeconds = INTERVAL): boolean =>
    isQuiet(memory, { nowMs, intervalSeconds });
  // Another hook checked a moment later and wrote first.
  assertEquals([3_599_999, 3_540_000].map((nowMs) => isQuietAt(nowMs)), [true, true]);
  // The clock was set back.
  assertEquals([3_539_999, 0].map((nowMs) => isQuietAt(nowMs)), [false, false]);
  assertEquals(isQuietAt(3_599_999, 0), false, "an interval of 0 is never quiet");
});
