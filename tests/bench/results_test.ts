import { assertEquals } from "@std/assert";
import type { HookLatency } from "../../bench/hooks.ts";
import type { Row, SizeReport } from "../../bench/main.ts";
import { compareWithDesign, type Figures } from "../../bench/results.ts";

function row(name: string, ratios: Partial<Row["ratios"]>, peakBytes: number | null): Row {
  const all = { scanCopy: null, cp: null, python: null, empty: null, ...ratios };
  const times = { medianMs: 100, rangeMs: [90, 110] as const, mbPerSecond: 1_000 };
  return { name, ...times, peakBytes, ratios: all, note: "" };
}

function report(size: string, rows: readonly Row[]): SizeReport {
  return { size, bytes: 1e8, lines: 10_000, longestLine: 1_500_000, rows };
}

function hook(name: string, size: string, ratio: number): HookLatency {
  return { hook: `hooks/${name}.ts`, size, hookMs: ratio * 20, emptyMs: 20, ratio };
}

const FIGURES: Figures = {
  reports: [
    report("10MB", [row("trimtab status", { empty: 1.5 }, 50e6), row("cp", {}, 900e6)]),
    report("100MB", [
      row("trimtab trim", { scanCopy: 1.6, python: 2.7 / 2.3 / 9 }, 100e6),
      row("trimtab status", { empty: 2.5 }, 50e6),
    ]),
  ],
  hooks: [
    hook("stop", "1MB", 1.5),
    hook("stop", "100MB", 1.7),
    hook("pre_compact", "100MB", 300),
    hook("pre_compact", "500MB", 90),
  ],
};

Deno.test("compareWithDesign() compares the worst figure with each target", () => {
  const found = compareWithDesign(FIGURES);
  assertEquals(found.map(({ measured, isMet }) => [measured, isMet]), [
    ["9.00 times", true],
    ["1.60", true],
    // The bound is 100 MB: 96 MB, plus twice the longest line, plus 100 bytes per line.
    ["1.00 of it (trimtab trim, 100MB)", true],
    ["1.70 (hooks/stop.ts, 100MB)", false],
    ["1,800 ms", true],
    ["2.50", false],
  ]);
});

Deno.test("compareWithDesign() reports no unmeasured target as met", () => {
  const found = compareWithDesign({ reports: [report("10MB", [])], hooks: [] });
  assertEquals(found.map(({ measured, isMet }) => [measured, isMet]), found.map(() => ["", null]));
});
