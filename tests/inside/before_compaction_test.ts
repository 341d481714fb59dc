import { assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { findTrim, isTrimDue, isTrimFirst } from "../../hooks/_inside_auto.ts";
import { trimOf } from "./trims.ts";

interface CompactionCase {
  before: number;
  /** Tokens after a trim, one number for each set of options that is tried. */
  after: number[];
  lastSize?: number;
  /** Types of blocks that a trim in place would lose. */
  lostTypes?: string[];
}

function find(
  { before, after, lastSize, lostTypes = [] }: CompactionCase,
): { found: number | undefined; plans: string[] } {
  const plans: string[] = [];
  const trim = findTrim({
    maxPercent: DEFAULT_CONFIG.inside.compact_after_trim_percent,
    lastSize,
    plan: (typed) => {
      const left = after[plans.push(typed) - 1] ?? before;
      const losses = { thinking: 0, thinkingTokens: 0, loadedTools: 0, lostTypes };
      return trimOf({ tokens: { before, after: left }, losses });
    },
  });
  return { found: trim?.tokens.after, plans };
}

Deno.test("isTrimFirst() follows `before_compaction`; the default, `auto`, allows a trim only in a terminal", () => {
  const rows = (["auto", "trim", "save"] as const).map((action) =>
    [true, false].map((isInTerminal) =>
      isTrimFirst({ ...DEFAULT_CONFIG.inside, before_compaction: action }, isInTerminal)
    )
  );
  // A trim repeats messages. Without a terminal, a program reads the output, and would treat them as new.
  assertEquals(rows, [[true, false], [true, true], [false, false]]);
});

Deno.test("findTrim() returns the lightest trim that frees enough", () => {
  const cases: readonly (readonly [after: number[], found: number])[] = [
    [[83_000, 50_000], 83_000],
    [[120_000, 84_000, 80_000], 80_000],
    [[120_000, 119_000, 118_000, 83_000], 83_000],
  ];
  for (const [after, expected] of cases) {
    const { found, plans } = find({ before: 170_000, after });
    assertEquals([found, plans.length], [expected, after.indexOf(expected) + 1]);
  }
  const again = find({ before: 170_000, after: [80_000], lastSize: 83_000 });
  assertEquals(again.found, 80_000, "the window has filled up since the last trim");
});

Deno.test("findTrim() lets the client compact if a trim frees too little or loses blocks", () => {
  for (
    const compaction of [
      { before: 170_000, after: [120_000, 110_000, 84_000] },
      { before: 170_000, after: [169_000, 168_000, 167_000] },
      // The client compacts at 60,000 tokens, so its window is smaller than the reported one.
      { before: 60_000, after: [50_000, 45_000, 40_000] },
      // The window filled up again soon after the last trim.
      { before: 170_000, after: [60_000], lastSize: 140_000 },
      { before: 170_000, after: [60_000], lostTypes: ["web_search_tool_result"] },
    ]
  ) {
    assertEquals(find(compaction).found, undefined);
  }
});

Deno.test("isTrimDue() is true from the threshold on, and at any size if the cache has expired", () => {
  const dueAt = (tokens: number, threshold: number): boolean =>
    isTrimDue({ tokens, limit: 100_000 }, threshold);
  assertEquals([dueAt(59_000, 60), dueAt(60_000, 60), dueAt(20_000, 0)], [false, true, true]);
});

Deno.test("isTrimDue() waits until the window has grown by ten points since the last trim", () => {
  const dueAt = (tokens: number, from: number, threshold: number): boolean =>
    isTrimDue({ tokens, limit: 100_000, from }, threshold);
  assertEquals([dueAt(74_000, 65_000, 60), dueAt(75_000, 65_000, 60)], [false, true]);
  assertEquals(dueAt(20_000, 15_000, 0), false);
});
