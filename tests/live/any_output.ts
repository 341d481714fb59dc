/**
 * Makes random outputs for property tests. Most of them look like the output of some tool.
 *
 * @module
 */

import fc from "fast-check";

const words = ["alpha", "beta", "日本", "\u{1f600}", "x".repeat(90), "", "a b", "\t}"];
const word = fc.constantFrom(...words);
const number = fc.nat(9_999);

const logLine = fc.tuple(fc.constantFrom("INFO", "debug", "step", "::"), word, number)
  .map((parts) => parts.join(" "));
const errorLine = fc.constantFrom(
  "error: cannot read a.txt",
  "--- FAIL: TestAny (0.01s)",
  "FAILED tests/test_a.py::test_b - assert 1 == 2",
  "TypeError: x is not a function",
  "not ok 4 - divides",
  "\u001b[31merror\u001b[0m: no",
);
const testLine = fc.tuple(fc.constantFrom("ok ", "--- PASS: Test", "  ✓ does "), number)
  .map(([start, nth]) => `${start}${nth}`);
const searchLine = fc.tuple(fc.constantFrom("src/a.ts", "b.go", "dir one/c.py"), number, word)
  .map(([file, line, text]) => `${file}:${line}:${text}`);
const pathLine = fc.tuple(fc.constantFrom("src/", "src/deep/er/", "./", "/abs/"), number)
  .map(([folder, name]) => `${folder}${name}.ts`);
const longLine = fc.tuple(fc.integer({ min: 300, max: 3_000 }), word)
  .map(([length, text]) => (text + "\u{1f602}-").repeat(length).slice(0, length).toWellFormed());
const progress = fc.array(number, { minLength: 2, maxLength: 60 })
  .map((steps) => steps.map((step) => `Counting: ${step}%`).join("\r"));

function linesOf(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const lines = fc.oneof(
    { weight: 30, arbitrary: line },
    { weight: 1, arbitrary: errorLine },
    { weight: 1, arbitrary: longLine },
    { weight: 1, arbitrary: progress },
  );
  return fc.array(lines, { minLength: 1, maxLength: 150, size: "max" })
    .map((all) => all.join("\n"));
}

const repeated = fc.tuple(logLine, fc.integer({ min: 2, max: 60 }))
  .map(([line, count]) => Array.from({ length: count }, () => line).join("\n"));

export const anyOutput: fc.Arbitrary<string> = fc.oneof(
  linesOf(logLine),
  linesOf(testLine),
  linesOf(searchLine),
  linesOf(pathLine),
  fc.array(repeated, { minLength: 1, maxLength: 8 }).map((runs) => runs.join("\n")),
  fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }).map((value) =>
    JSON.stringify({ value, list: Array.from({ length: 40 }, () => value) }, null, 2)
  ),
  fc.string({ unit: "binary", maxLength: 3_000 }),
);
