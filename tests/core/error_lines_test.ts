import { assert, assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import { linesOf } from "../../src/core/digest.ts";
import {
  errorLinesIn,
  errorMatcherFor,
  isErrorLine,
  isPassingLine,
} from "../../src/core/error_lines.ts";
import { ERROR_PATTERNS } from "./error_patterns.ts";

Deno.test("isErrorLine() accepts every example in ERROR_PATTERNS, and each pattern matches its own examples", () => {
  for (const { about, pattern, lines } of ERROR_PATTERNS) {
    const missed = lines.filter((line) => !isErrorLine(line) || !pattern.test(line));
    assertEquals([about, ...missed], [about]);
  }
});

Deno.test("isErrorLine() and isPassingLine() distinguish failures from passed tests and ordinary words", () => {
  const rows: readonly (readonly [isError: boolean, isPassing: boolean, lines: string[]])[] = [
    [false, true, [
      "ok 12 - throws an error",
      "--- PASS: TestErrorIsShown (0.00s)",
      "  ✓ fails with an error (2 ms)",
      "test errors::are_shown ... ok",
      "tests/test_error.py::test_failure PASSED",
      "=== RUN   TestFailure",
    ]],
    // These lines begin like passed tests, but report failures.
    [true, false, [
      "ok POST /pay 500 error: card declined",
      "✓ table orders: 12 rows failed to convert, error: bad date",
      "PASS src/a.test.ts TypeError: x is not a function",
      "ok 40 of 41, 1 test failed",
    ]],
    [false, false, ["compiled 3 files", "errand.ts", "a terror", "failover.go: ok"]],
  ];
  for (const [isError, isPassing, lines] of rows) {
    for (const line of lines) {
      assertEquals([isErrorLine(line), isPassingLine(line)], [isError, isPassing], line);
    }
  }
});

Deno.test("errorMatcherFor() treats the lines of a diff as code", () => {
  const diff = ["diff --git a/a b/a", "@@ -1 +1 @@ error", "-error: old", "+error: new", " error"];
  const isError = errorMatcherFor(diff);
  assertFalse(diff.some(isError));
  assert(isError("error: cannot read"));
  assert(errorMatcherFor(["-error: old"])("-error: old"));
});

function linesIn(text: string): string[] {
  return errorLinesIn(text, linesOf(text)).map((line) => line.text);
}

Deno.test("errorLinesIn() lists the most informative lines first, each with up to two indented lines after it", () => {
  const details = ["    rewind_test.go:88: want 3 files, got 2", "    more about it"];
  const failure = ["--- FAIL: TestRewind (0.04s)", ...details];
  const [warning, error] = ["warning: 2 errors were ignored", "error: could not compile"];
  const passed = "--- PASS: TestErrors (0.00s)";
  const text = [warning, passed, ...failure, "    still more", "the rest is fine", error];
  assertEquals(linesIn(text.join("\n")), [...failure, error, warning]);
  assertEquals(linesIn("  Error: x\n   a\n   b\n  c"), ["  Error: x", "   a", "   b"]);
});

Deno.test("errorLinesIn() lists a line once, skips long lines, and finds no error in a diff", () => {
  assertEquals(linesIn("Error: x\nError: x\n"), ["Error: x"]);
  const [longest, tooLong] = [`Error: ${"x".repeat(393)}`, `Error: ${"x".repeat(394)}`];
  assertEquals(linesIn(`${longest}\n${tooLong}`), [longest]);
  const details = [` ${"x".repeat(399)}`, ` ${"x".repeat(400)}`];
  assertEquals(linesIn(["Error: x", ...details].join("\n")), ["Error: x", details[0]]);
  assertEquals(linesIn("--- a\n+++ b\n@@ -1 +1 @@\n-throw new Error(1)\n+throw new Error(2)"), []);
  assertEquals(linesIn(""), []);
});

Deno.test("errorLinesIn() finds every line that isErrorLine() accepts", () => {
  const pieces = [
    ..." \t\r\u00a0:.()0123>#*✗●×EF".split(""),
    ...["E  ", "1) ", "#0 0x", "a.go:3:4: ", "x_test.go:8: ", "a.ts(2,9): ", "*** ", "CONFLICT ("],
    ...["\x1b[31m", "\x1b[0m", "er", "ror", "fail", "Segmentation fault", "core dumped", "killed"],
    ...["undefined: ", "undefined symbol", "out of memory", "not ok", "No such file", "Failure"],
  ];
  const line = fc.array(fc.constantFrom(...pieces), { maxLength: 8 })
    .map((parts) => parts.join("")).filter(isErrorLine);
  fc.assert(
    fc.property(line, (text) => assertEquals(linesIn(`start\n${text}\nend`)[0], text)),
    { numRuns: 2_000, seed: 20261129 },
  );
});

Deno.test("errorLinesIn() reads many blank lines in time proportional to their number", () => {
  const start = performance.now();
  assertEquals(linesIn("\n \r".repeat(80_000)), []);
  assert(performance.now() - start < 10_000, "a quadratic search takes a minute");
});

Deno.test("errorLinesIn() searches only the end of a very long text", () => {
  const noise = "all is fine here\n".repeat(40_000);
  assertEquals(linesIn(`Error: early\n${noise}Error: late\n`), ["Error: late"]);
});

Deno.test("errorLinesIn() returns the first 300 lines", () => {
  const lines = Array.from({ length: 301 }, (_, number) => `Error: ${number}`);
  assertEquals(linesIn(lines.join("\n")), lines.slice(0, 300));
});
