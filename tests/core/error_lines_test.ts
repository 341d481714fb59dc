import { assert, assertEquals, assertFalse } from "@std/assert";
import { errorMatcherFor, isErrorLine, isPassingLine } from "../../src/core/error_lines.ts";
import { ERROR_PATTERNS } from "./error_patterns.ts";

Deno.test("isErrorLine() finds every line of the fixture, and each pattern finds its own", () => {
  const missed = ERROR_PATTERNS.flatMap(({ lines }) => lines).filter((line) => !isErrorLine(line));
  assertEquals(missed, []);
  for (const { about, pattern, lines } of ERROR_PATTERNS) {
    assertEquals([about, ...lines.filter((line) => !pattern.test(line))], [about]);
  }
});

Deno.test("isErrorLine() is false for tests that passed, whatever their names", () => {
  for (
    const line of [
      "ok 12 - throws an error",
      "--- PASS: TestErrorIsShown (0.00s)",
      "  ✓ fails with an error (2 ms)",
      "test errors::are_shown ... ok",
      "tests/test_error.py::test_failure PASSED",
      "=== RUN   TestFailure",
    ]
  ) {
    assert(isPassingLine(line), line);
    assertFalse(isErrorLine(line), line);
  }
});

Deno.test("isErrorLine() is true for an error in a line that begins like a passed test", () => {
  for (
    const line of [
      "ok POST /pay 500 error: card declined",
      "✓ table orders: 12 rows failed to convert, error: bad date",
      "PASS src/a.test.ts TypeError: x is not a function",
      "ok 40 of 41, 1 test failed",
    ]
  ) {
    assert(isErrorLine(line), line);
    assertFalse(isPassingLine(line), line);
  }
});

Deno.test("isErrorLine() is false for ordinary words", () => {
  for (const line of ["compiled 3 files", "errand.ts", "a terror", "failover.go: ok"]) {
    assertFalse(isErrorLine(line), line);
  }
});

Deno.test("errorMatcherFor() treats the lines of a diff as code", () => {
  const diff = ["diff --git a/a b/a", "@@ -1 +1 @@ error", "-error: old", "+error: new", " error"];
  const isError = errorMatcherFor(diff);
  assertEquals(diff.filter(isError), []);
  assert(isError("error: cannot read"));
  assert(errorMatcherFor(["-error: old"])("-error: old"));
});
