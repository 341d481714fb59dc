import { assert, assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { fillWords, freedByRollover } from "../../src/inside/fill.ts";

const { context } = DEFAULT_CONFIG;

Deno.test("fillWords() returns nothing below the first level, and without a measurement", () => {
  assertEquals(fillWords(undefined, 200_000, context), undefined);
  assertEquals(fillWords(118_000, 200_000, context), undefined);
});

Deno.test("fillWords() states the usage of the window from the first level on", () => {
  assertEquals(
    fillWords(120_000, 200_000, context),
    "context 60% (120,000 of 200,000 tokens) · /trim makes room",
  );
  assertEquals(
    fillWords(170_000, 200_000, context),
    "context 85% (170,000 of 200,000 tokens) · /trim makes room",
  );
  const freed = { at_tokens: 118_000, light: 2_000, deep: 41_300, rollover: 90_000 };
  assertEquals(
    fillWords(120_000, 200_000, context, freed),
    "context 60% (120,000 of 200,000 tokens) · /trim --depth deep frees 41,300",
  );
  assertEquals(
    fillWords(150_000, 200_000, context, freed),
    "context 75% (150,000 of 200,000 tokens) · /trim makes room",
  );
});

Deno.test("freedByRollover() keeps the tokens outside of messages, even if no message counts", () => {
  const handoff = 60_000 - freedByRollover({}, 60_000);
  assert(handoff > 1_000 && handoff < 6_000, `${handoff}`);
  const used = { "System prompt": 9_500, "Messages": 50_000 };
  assertEquals(freedByRollover(used, 60_000), 50_000 - handoff);
  assertEquals(
    freedByRollover(used, 60_000, 45_000),
    35_500 - handoff,
    "results since the request",
  );
  assertEquals(freedByRollover({ "System prompt": 9_500, "System tools": 16_387 }, 26_800), 0);
});
