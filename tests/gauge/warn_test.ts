import { assertEquals } from "@std/assert";
import type { WarningLevel } from "../../src/gauge/ladder.ts";
import { canSkipMeasurement, decideWarning } from "../../src/gauge/watch.ts";

const INTERVAL = 60;

type Check = readonly [second: number, level: WarningLevel];

/** Checks the given levels at the given seconds in turn, and lists each warning with its second. */
function warningsAt(checks: readonly Check[], intervalSeconds = INTERVAL): string[] {
  let state = {};
  return checks.flatMap(([second, level]) => {
    const decision = decideWarning(level, state, { nowMs: second * 1000, intervalSeconds });
    state = { ...state, ...decision?.change };
    if (!decision?.warning) return [];
    return [`${second} ${decision.warning}${decision.isRise ? " rise" : ""}`];
  });
}

const CASES: Readonly<Record<string, readonly [checks: readonly Check[], warnings: string[]][]>> = {
  "at once when the level rises": [
    [[[0, "ok"], [1, "warn"]], ["1 warn rise"]],
    [[[0, "urgent"]], ["0 urgent rise"]],
    [
      [[0, "warn"], [60, "recommend"], [120, "urgent"]],
      ["0 warn rise", "60 recommend rise", "120 urgent rise"],
    ],
  ],
  "again about an unchanged level only after ten intervals": [[
    [0, 59, 60, 300, 599, 600, 601, 1199, 1200].map((second) => [second, "warn"]),
    ["0 warn rise", "600 warn", "1200 warn"],
  ]],
  "within an interval only about a rise above the last warning": [
    [
      [[0, "warn"], [59, "urgent"], [60, "urgent"], [61, "urgent"]],
      ["0 warn rise", "59 urgent rise"],
    ],
    [[[0, "urgent"], [10, "warn"], [20, "urgent"]], ["0 urgent rise"]],
  ],
  "when the level rises again, but not when it falls": [
    [[[0, "urgent"], [60, "warn"], [120, "ok"], [180, "ok"]], ["0 urgent rise"]],
    [[[0, "urgent"], [60, "warn"], [120, "recommend"]], ["0 urgent rise", "120 recommend rise"]],
    [[[0, "warn"], [60, "ok"], [120, "warn"]], ["0 warn rise", "120 warn rise"]],
  ],
  "ten intervals after the last warning, even if the level has fallen": [
    [[[0, "urgent"], [60, "warn"], [599, "warn"], [600, "warn"]], ["0 urgent rise", "600 warn"]],
  ],
};

for (const [name, cases] of Object.entries(CASES)) {
  Deno.test(`decideWarning() warns ${name}`, () => {
    for (const [checks, warnings] of cases) assertEquals(warningsAt(checks), warnings);
  });
}

Deno.test("decideWarning() warns each time when the interval is 0", () => {
  assertEquals(warningsAt([[0, "warn"], [0, "warn"], [1, "ok"]], 0), ["0 warn rise", "0 warn"]);
});

Deno.test("decideWarning() records nothing if nothing changed", () => {
  const pace = { nowMs: 100_000, intervalSeconds: INTERVAL };
  const warned = { level: "warn", warned_at: new Date(1_000).toISOString() };
  assertEquals([decideWarning("ok", {}, pace), decideWarning("warn", warned, pace)], [null, null]);
  assertEquals(decideWarning("ok", warned, pace)?.change, { level: "ok" });
});

Deno.test("canSkipMeasurement() is true for an interval after a warning of the highest level", () => {
  const urgent = { level: "urgent", warned_at: new Date(3_600_000).toISOString() };
  const isQuietAt = (nowMs: number, state: object = urgent, intervalSeconds = INTERVAL): boolean =>
    canSkipMeasurement(state, { nowMs, intervalSeconds });
  assertEquals([3_600_000, 3_659_999, 3_660_000].map((ms) => isQuietAt(ms)), [true, true, false]);
  assertEquals(isQuietAt(3_600_000, { ...urgent, level: "warn" }), false);
  assertEquals(isQuietAt(0, {}), false);
  // Another hook checked a moment later and wrote first.
  assertEquals([3_599_999, 3_540_000].map((ms) => isQuietAt(ms)), [true, true]);
  // The clock was set back.
  assertEquals([3_539_999, 0].map((ms) => isQuietAt(ms)), [false, false]);
  assertEquals(isQuietAt(3_599_999, urgent, 0), false, "an interval of 0 is already over");
});
