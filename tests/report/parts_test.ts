import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ReportRequest } from "../../src/report/requests.ts";
import { thinOut } from "../../src/report/thin.ts";
import { escapeHtml } from "../../src/report/words.ts";
import { MAX_TURNS, turnsOf } from "../../src/report/turns.ts";
import "../own_config.ts";

Deno.test("escapeHtml() escapes markup and characters that reverse or hide text", () => {
  assertEquals(escapeHtml("\u202e\x1b[31m<b>\x1b[0m\0 &\r\n"), "&lt;b&gt; &amp;\n");
});

const SEED = 20_260_301;

Deno.test("thinOut() keeps the first, the last, the highest and the lowest, in their order", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.integer({ min: 4, max: 40 }), (all, mostUsed) => {
      const points = all.map((value, index) => ({ value, index }));
      const thinned = thinOut(points, mostUsed, ({ value }) => value);
      assert(thinned.length <= Math.max(mostUsed, 4));
      assertEquals(
        thinned.map(({ index }) => index),
        thinned.map(({ index }) => index).toSorted((a, b) => a - b),
      );
      assertEquals([thinned[0], thinned.at(-1)], [points[0], points.at(-1)]);
      const kept = thinned.map(({ value }) => value);
      assertEquals(Math.max(...kept), Math.max(...all));
      assertEquals(Math.min(...kept), Math.min(...all));
    }),
    { numRuns: 100, seed: SEED },
  );
});

Deno.test("turnsOf() merges turns when there are very many", () => {
  const cost = { input: 1, cache_read: 2, cache_write: 3, cache_miss: 0, output: 4 };
  const requests = Array.from({ length: MAX_TURNS * 2 + 1 }, (_, index): ReportRequest => ({
    number: index + 1,
    turn: index + 1,
    line: index + 1,
    time: null,
    model: null,
    tokens: 10,
    input_tokens: 1,
    cache_read_tokens: 2,
    cache_write_tokens: 3,
    missed_tokens: 1,
    output_tokens: 4,
    cost,
  }));
  const turns = turnsOf(requests, new Map([[1, "first"]]), new Map([[2, 5]]));
  assert(turns.length <= MAX_TURNS);
  assertEquals([turns[0]?.number, turns[0]?.last, turns[0]?.prompt], [1, 3, "first"]);
  assertEquals(turns.reduce((sum, turn) => sum + turn.total, 0), requests.length * 10 + 5);
  assertEquals(turns.at(-1)?.last, requests.length);
});
