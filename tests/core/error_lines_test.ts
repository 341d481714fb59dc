import { assert, assertEquals, assertFalse } from "@std/assert";
import { errorMatcherFor, isErrorLine, isPassingLine } from "../../src/core/error_lines.ts";
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
