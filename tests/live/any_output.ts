/**
 * Makes random outputs for property tests. Most of them look like the output of some tool.
 *
 * @module
 */

import fc from "fast-check";
import { ERROR_PATTERNS } from "../core/error_patterns.ts";
import { anyCharacters } from "../any_characters.ts";

const word = fc.constantFrom("alpha", "日本", "\u{1f600}", "x".repeat(90), "", "a b", "\t}");
const number = fc.nat(9_999);

/** Makes lines of the given parts, such as a level, a number and a word. */
function lineOf(...parts: readonly fc.Arbitrary<string | number>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((all) => all.join(""));
}

const logLine = lineOf(fc.constantFrom("INFO ", "debug ", ":: "), word, number);
const otherLines = [
  lineOf(fc.constantFrom("ok ", "--- PASS: Test", "  ✓ does "), number),
  lineOf(fc.constantFrom("src/a.ts:", "b.go:", "dir one/c.py:"), number, fc.constant(":"), word),
  lineOf(fc.constantFrom("src/", "src/deep/er/", "./", "/abs/"), number),
];
const errorLine = fc.constantFrom(...ERROR_PATTERNS.flatMap(({ lines }) => lines));
const longLine = fc.tuple(fc.integer({ min: 300, max: 3_000 }), word)
  .map(([length, text]) => (text + "\u{1f602}-").repeat(length).slice(0, length).toWellFormed());
const progress = fc.array(number, { minLength: 2, maxLength: 60 })
  .map((steps) => steps.map((step) => `Counting: ${step}%`).join("\r"));

function linesOf(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const rare = [errorLine, longLine, progress].map((arbitrary) => ({ weight: 1, arbitrary }));
  return fc.array(fc.oneof({ weight: 30, arbitrary: line }, ...rare), {
    minLength: 1,
    maxLength: 150,
    size: "max",
  }).map((all) => all.join("\n"));
}

const repeated = fc.tuple(logLine, fc.integer({ min: 2, max: 60 }))
  .map(([line, count]) => Array.from({ length: count }, () => line).join("\n"));

export const anyOutput: fc.Arbitrary<string> = fc.oneof(
  ...[logLine, ...otherLines].map(linesOf),
  fc.array(repeated, { minLength: 1, maxLength: 8 }).map((runs) => runs.join("\n")),
  fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }).map((value) =>
    JSON.stringify({ value, list: Array.from({ length: 40 }, () => value) }, null, 2)
  ),
  anyCharacters({ maxLength: 3_000 }),
);
