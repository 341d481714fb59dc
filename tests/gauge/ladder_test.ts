import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { levelAt } from "../../src/gauge/ladder.ts";

const RUNS = { numRuns: 1000, seed: 20260301 };

Deno.test("levelAt() refuses a usage that is negative or not a number", () => {
  for (const value of [-1, -0.001, NaN, -Infinity]) {
    assertThrows(() => levelAt(value, [["ok", 0]]), RangeError, `usage is ${value}`);
  }
});

Deno.test("levelAt() returns the highest threshold that was reached", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 150 }),
      (unordered, value) => {
        const ordered = [...unordered].sort((x, y) => x - y);
        const steps = ordered.map((threshold, index) => [`${index + 1}`, threshold] as const);
        const reached = ordered.filter((threshold) => value >= threshold).length;
        assertEquals(levelAt(value, [["0", 0], ...steps]), `${reached}`);
      },
    ),
    RUNS,
  );
});
