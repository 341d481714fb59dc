import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { createLadder, levelAt, WARNING_LADDER } from "../../src/gauge/ladder.ts";

const RUNS = { numRuns: 1000, seed: 20260301 };

Deno.test("levelAt() changes on the warning ladder at 60, 75 and 85", () => {
  const levels = [0, 59.999, 60, 74.999, 75, 84.999, 85, Infinity]
    .map((value) => levelAt(value, WARNING_LADDER));
  const [warn, recommend] = [["warn", "warn"], ["recommend", "recommend"]];
  assertEquals(levels, ["ok", "ok", ...warn, ...recommend, "urgent", "urgent"]);
});

Deno.test("levelAt() refuses a usage that is negative or not a number", () => {
  for (const value of [-1, -0.001, NaN, -Infinity]) {
    assertThrows(() => levelAt(value, WARNING_LADDER), RangeError, `usage is ${value}`);
  }
});

Deno.test("levelAt() returns the highest threshold that was reached", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 150 }),
      (unordered, value) => {
        const ordered = [...unordered].sort((x, y) => x - y);
        const steps = ordered.map((at, index) => ({ level: `${index + 1}`, at }));
        const reached = ordered.filter((at) => value >= at).length;
        assertEquals(levelAt(value, createLadder("0", steps)), `${reached}`);
      },
    ),
    RUNS,
  );
});

Deno.test("createLadder() refuses thresholds that are out of order, and names both", () => {
  assertThrows(
    () => createLadder<string>("ok", [{ level: "warn", at: 75 }, { level: "recommend", at: 60 }]),
    RangeError,
    '"recommend" at 60 is below "warn" at 75',
  );
});

Deno.test("createLadder() rejects thresholds that are not percentages", () => {
  for (const at of [-1, 100.5, NaN, Infinity]) {
    assertThrows(
      () => createLadder<string>("ok", [{ level: "warn", at }]),
      RangeError,
      `"warn" is at ${at}`,
    );
  }
  assertEquals(createLadder<string>("ok", [{ level: "a", at: 0 }, { level: "b", at: 100 }]).steps, [
    { level: "a", at: 0 },
    { level: "b", at: 100 },
  ]);
});
