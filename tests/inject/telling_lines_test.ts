import { assertEquals } from "@std/assert";
import { failureLines } from "../../src/inject/telling_lines.ts";

Deno.test("failureLines() shows the last location above each failed test of a verbose run", () => {
  const output = `=== RUN   TestRecent
    clean_test.go:347: marked the recent session as orphaned
--- FAIL: TestRecent (0.03s)
=== RUN   TestLength
    clean_test.go:427: Are they equal? false (they should match by prefix)
    clean_test.go:440: marked the session as orphaned
        Expected: a session with a branch
--- FAIL: TestLength (0.04s)
FAIL`;
  assertEquals(failureLines(output, 3), [
    "--- FAIL: TestRecent, TestLength",
    "clean_test.go:347: marked the recent session as orphaned",
    "clean_test.go:440: marked the session as orphaned",
  ]);
});

Deno.test("failureLines() does not show a log line of a failed test as its failure", () => {
  const output = `--- FAIL: TestFirst (0.03s)
    flow_test.go:727: Phase 1: a session
--- FAIL: TestSecond (0.04s)
    flow_test.go:810: Phase 1: a session
    flow_test.go:1406: the file should NOT contain the function
FAIL`;
  assertEquals(failureLines(output, 2), [
    "--- FAIL: TestFirst, TestSecond",
    "flow_test.go:1406: the file should NOT contain the function",
  ]);
});

Deno.test("failureLines() prefers a line with the remedy to a general error", () => {
  const remedy = "Trust them with `mise trust`. See the page for more.";
  const output = `Exit code 1
mise ERROR error parsing config file: ~/mise.toml
mise ERROR Config files in ~/mise.toml are not trusted.
${remedy}
mise ERROR Run with --verbose for more information`;
  assertEquals(failureLines(output, 2), [
    "mise ERROR Config files in ~/mise.toml are not trusted.",
    remedy,
  ]);
});
