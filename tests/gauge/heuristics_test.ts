import { assertEquals } from "@std/assert";
import { type ContextMetrics, estimateContextUsage } from "../../src/gauge/heuristics.ts";

Deno.test("estimateContextUsage() weighs each count, adds them without rounding errors, and returns at most 1", () => {
  const rows: readonly (readonly [ContextMetrics, number])[] = [
    [{}, 0],
    [{ message_count: 1 }, 0.01],
    [{ file_reads: 1 }, 0.02],
    [{ file_edits: 1 }, 0.015],
    [{ tool_calls: 1 }, 0.005],
    [{ subagent_spawns: 1 }, 0.05],
    [
      { message_count: 30, file_reads: 10, file_edits: 4, tool_calls: 20, subagent_spawns: 1 },
      0.71,
    ],
    // As fractions, the three parts sum to 0.5999999999999999, which a trigger at 0.6 would miss.
    [{ file_reads: 15, file_edits: 15, tool_calls: 15 }, 0.6],
    [{ message_count: 99 }, 0.99],
    [{ message_count: 100 }, 1],
    [{ message_count: 101 }, 1],
    [{ subagent_spawns: 1e12 }, 1],
  ];
  for (const [metrics, usage] of rows) {
    assertEquals(estimateContextUsage(metrics), usage, JSON.stringify(metrics));
  }
});
