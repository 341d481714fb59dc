// Checks properties of the shapers on random outputs.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isErrorLine } from "../../src/core/error_lines.ts";
import { shapeLog } from "../../src/live/logs.ts";
import { shapeSearchResults } from "../../src/live/search_results.ts";
import { shapeText } from "../../src/live/shape_call.ts";
import { anyOutput } from "./any_output.ts";
import { lostLines } from "../core/error_patterns.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(120, 40, "outputs that are shaped"), seed: 20261122 };
const SHAPERS = { shapeLog, shapeSearchResults };

const bound = fc.integer({ min: 50, max: 2_000 });

for (const [name, shape] of Object.entries(SHAPERS)) {
  Deno.test(`${name}() does not split a character`, () => {
    const property = fc.property(anyOutput, bound, (text, maxChars) => {
      assert(!text.isWellFormed() || shape(text, maxChars).isWellFormed());
    });
    fc.assert(property, RUNS);
  });
}

Deno.test("shapeText() keeps every line that reports an error, or seems to", () => {
  const property = fc.property(anyOutput, bound, (text, maxChars) => {
    const shaped = shapeText(text, maxChars);
    if (text.length <= maxChars) assertEquals(shaped, null);
    if (shaped === null) return;
    assert(shaped.length < text.length);
    assert(shaped.isWellFormed());
    // In search results, a line that looks like an error is only quoted from a file.
    if (shapeSearchResults(text, maxChars) !== text) return;
    assertEquals(lostLines(text, shaped), []);
    const kept = new Set(shaped.split("\n"));
    const errors = text.split("\n").filter((line) => line.length < 200 && isErrorLine(line));
    assertEquals(errors.filter((line) => !kept.has(line)), []);
  });
  fc.assert(property, RUNS);
});
