import { assert, assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { FreedAmounts } from "../../src/gauge/advice.ts";
import { fillText, freedByRollover } from "../../src/inside/fill.ts";
import type { InsideFill } from "../../src/store/inside_record.ts";

const { context } = DEFAULT_CONFIG;

const FILL: InsideFill = {
  at_ms: 1,
  model: "m",
  ...{ tokens: null, window: 200_000, limit: 200_000, limit_kind: "answer" },
  categories: {},
};

Deno.test("fillText() shows the usage of the window from `warn` on, and a trim's savings if they are up to date", () => {
  const freed = { at_tokens: 118_000, light: 2_000, deep: 41_300, rollover: 90_000 };
  const wordsAt = (tokens: number | null, freed?: FreedAmounts): string | undefined =>
    fillText({ ...FILL, tokens }, context, freed);
  assertEquals([wordsAt(null), wordsAt(118_000)], [undefined, undefined]);
  assertEquals(wordsAt(120_000), "context 60% · /trim makes room (120,000 of 200,000 tokens)");
  const deep = "context 60% · /trim --depth deep frees 41,300 (120,000 of 200,000 tokens)";
  assertEquals(wordsAt(120_000, freed), deep);
  const plain = "context 75% · /trim makes room (150,000 of 200,000 tokens)";
  assertEquals(wordsAt(150_000, freed), plain, "the figures are outdated");
});

Deno.test("freedByRollover() excludes the client's prompt and tools and a handoff, and ignores the count of messages", () => {
  const handoff = 60_000 - freedByRollover({}, 60_000);
  assert(handoff > 1_000 && handoff < 6_000, `${handoff}`);
  const used = { "System prompt": 9_500, "Messages": 50_000 };
  assertEquals(freedByRollover(used, 60_000), 50_500 - handoff);
  assertEquals(
    freedByRollover({ ...used, "Messages": 9_000 }, 60_000),
    50_500 - handoff,
    "the count of messages is ignored",
  );
  assertEquals(freedByRollover({ "System prompt": 9_500, "System tools": 16_387 }, 26_800), 0);
});
