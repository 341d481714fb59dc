import { assertEquals, assertThrows } from "@std/assert";
import {
  type ContextMetrics,
  estimateContextUsage,
  explainContextUsage,
} from "../../src/gauge/heuristics.ts";

Deno.test("estimateContextUsage() weighs each metric separately", () => {
  const rows: readonly (readonly [ContextMetrics, number])[] = [
    [{}, 0],
    [{ message_count: 1 }, 0.01],
    [{ file_reads: 1 }, 0.02],
    [{ file_edits: 1 }, 0.015],
    [{ tool_calls: 1 }, 0.005],
    [{ subagent_spawns: 1 }, 0.05],
    [{ elapsed_seconds: 86_400 }, 0],
    [
      { message_count: 30, file_reads: 10, file_edits: 4, tool_calls: 20, subagent_spawns: 1 },
      0.71,
    ],
  ];
  for (const [metrics, usage] of rows) {
    assertEquals(estimateContextUsage(metrics), usage, JSON.stringify(metrics));
  }
});

Deno.test("estimateContextUsage() is capped at 1, which it reaches exactly", () => {
  assertEquals(estimateContextUsage({ message_count: 99 }), 0.99);
  assertEquals(estimateContextUsage({ message_count: 100 }), 1);
  assertEquals(estimateContextUsage({ message_count: 101 }), 1);
  assertEquals(estimateContextUsage({ subagent_spawns: 1e12 }), 1);
});

Deno.test("estimateContextUsage() sums without rounding errors", () => {
  // Added as fractions, the three parts give 0.5999999999999999, which a trigger at 0.6 would miss.
  assertEquals(estimateContextUsage({ file_reads: 15, file_edits: 15, tool_calls: 15 }), 0.6);
});

Deno.test("estimateContextUsage() rejects metrics that are not counts", () => {
  for (const amount of [-1, NaN, Infinity]) {
    assertThrows(
      () => estimateContextUsage({ file_reads: amount }),
      RangeError,
      `file_reads is ${amount}`,
    );
    assertThrows(() => estimateContextUsage({ elapsed_seconds: amount }), RangeError);
  }
});

Deno.test("explainContextUsage() names every metric, its weight and its share", () => {
  assertEquals(explainContextUsage({ file_reads: 3, elapsed_seconds: 90 }), {
    usage: 0.06,
    source: "estimate",
    parts: [
      { metric: "message_count", amount: 0, weight: 0.01, usage: 0 },
      { metric: "file_reads", amount: 3, weight: 0.02, usage: 0.06 },
      { metric: "file_edits", amount: 0, weight: 0.015, usage: 0 },
      { metric: "tool_calls", amount: 0, weight: 0.005, usage: 0 },
      { metric: "subagent_spawns", amount: 0, weight: 0.05, usage: 0 },
      { metric: "elapsed_seconds", amount: 90, weight: 0, usage: 0 },
    ],
  });
});

Deno.test("explainContextUsage() does not cap the shares", () => {
  const estimate = explainContextUsage({ message_count: 150 });
  assertEquals(estimate.usage, 1);
  assertEquals(estimate.parts[0]?.usage, 1.5);
});
