import { assertEquals, assertThrows } from "@std/assert";
import { type AvailableClues, getAvailableContext } from "../../src/plan/available.ts";

Deno.test("getAvailableContext() uses the actual figures, or counts if there are none, and defaults to 100,000", () => {
  const cases: [AvailableClues | undefined, number][] = [
    [undefined, 100_000],
    [{}, 100_000],
    [{ tokens: 150_000, window: 200_000 }, 50_000],
    [{ tokens: 150_000, window: 200_000, percent: 10, message_count: 9 }, 50_000],
    [{ tokens: 250_000, window: 200_000 }, 0],
    [{ tokens: 0, window: 1_000_000 }, 1_000_000],
    [{ tokens: null, percent: 60, window: 200_000 }, 80_000],
    [{ tokens: null, percent: null, window: 200_000 }, 100_000],
    [{ tokens: null, percent: null, window: 200_000, metrics: { message_count: 50 } }, 50_000],
    [{ tokens: 9 }, 100_000],
    [{ message_count: 50, file_reads: 10 }, 30_000],
    [{ metrics: { message_count: 50, file_reads: 10 } }, 30_000],
    [{ metrics: { message_count: 90 } }, 10_000],
    [{ metrics: { message_count: 500 } }, 0],
  ];
  for (const [session, expected] of cases) assertEquals(getAvailableContext(session), expected);
});

Deno.test("getAvailableContext() refuses invalid figures", () => {
  assertThrows(() => getAvailableContext({ tokens: -1, window: 9 }), RangeError, "got -1");
  assertThrows(() => getAvailableContext({ tokens: 1, window: NaN }), RangeError, "got NaN");
});
