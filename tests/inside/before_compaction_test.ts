import { assert, assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { beforeCompaction, isTrimFirst } from "../../src/inside/before_compaction.ts";
import type { CompactAnswer, CompactEvent } from "../../src/inside/client.ts";
import { textRow } from "./laid_out.ts";
import { trimOf } from "./trims.ts";

const CLIENT_ANSWER: CompactAnswer = {
  messages: [{ role: "user", text: "summary", toolUses: [] }],
};

interface CompactionCase {
  before: number;
  /** Tokens after a trim, one number for each set of options that is tried. */
  after: number[];
  lastSize?: number;
  trigger?: CompactEvent["trigger"];
  /** Types of blocks that a trim in place would lose. */
  lostTypes?: string[];
}

async function compact(
  { before, after, lastSize, trigger = "auto", lostTypes = [] }: CompactionCase,
): Promise<{ answer: CompactAnswer; made: number[]; plans: string[] }> {
  const made: number[] = [];
  const plans: string[] = [];
  const answer = await beforeCompaction(
    { trigger, messages: [] },
    () => Promise.resolve(CLIENT_ANSWER),
    {
      maxPercent: DEFAULT_CONFIG.inside.compact_after_trim_percent,
      lastSize,
      plan: (typed) => {
        const left = after[plans.push(typed) - 1] ?? before;
        return trimOf({
          rows: [textRow("user", `${left}`)],
          tokens: { before, after: left },
          losses: { thinking: 0, thinkingTokens: 0, loadedTools: 0, lostTypes },
        });
      },
      onChosen: (trim) => Promise.resolve(void made.push(trim.tokens.after)),
    },
  );
  return { answer, made, plans };
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

Deno.test("beforeCompaction() makes the lightest trim that frees enough", async () => {
  const cases: readonly (readonly [after: number[], made: number])[] = [
    [[83_000, 50_000], 83_000],
    [[120_000, 84_000, 80_000], 80_000],
    [[120_000, 119_000, 118_000, 83_000], 83_000],
  ];
  for (const [after, expected] of cases) {
    const { made, answer, plans } = await compact({ before: 170_000, after });
    assertEquals([made, answer.messages?.[0]?.text], [[expected], `${expected}`]);
    assertEquals(plans.length, after.indexOf(expected) + 1);
  }
  const again = await compact({ before: 170_000, after: [80_000], lastSize: 83_000 });
  assertEquals(again.made, [80_000], "the window has filled up since the last trim");
});

Deno.test("beforeCompaction() lets the client compact if a trim frees too little or loses blocks", async () => {
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
    const { answer, made } = await compact(compaction);
    assertEquals(made, []);
    assert(answer === CLIENT_ANSWER);
  }
});

Deno.test("beforeCompaction() skips the request that prepares a compaction, but does not trim yet", async () => {
  const trigger = "precompute";
  const { answer, made } = await compact({ before: 170_000, after: [80_000], trigger });
  assertEquals(made, []);
  assertEquals(answer.skip, "trimtab trims in place instead");
});
