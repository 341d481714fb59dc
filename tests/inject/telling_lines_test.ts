import { assertEquals } from "@std/assert";
import { failureLines, lastLines } from "../../src/inject/telling_lines.ts";

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

Deno.test("failureLines() prefers a line with a remedy to a general error", () => {
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

Deno.test("failureLines() shows the findings of golangci-lint without the source below them", () => {
  const output = `Exit code 1
[lint:go] $ tasks/lint/go
[lint:go] cmd/app/hooks.go:946: 946-986 lines are duplicate of \`cmd/app/other.go:168-208\` (dupl)
[lint:go] func handleStart() error {
[lint:go] \t\treturn fmt.Errorf("failed to get agent: %w", err)
[lint:go] cmd/app/list.go:33:19: G602: slice index out of range (gosec)
[lint:go] \tif !used[lane] {
[lint:go] \t         ^
[lint:go] 2 issues:
[lint:go] * dupl: 1
[lint:go] * gosec: 1
[lint:go] ERROR task failed`;
  assertEquals(failureLines(output, 4), [
    "cmd/app/hooks.go:946: 946-986 lines are duplicate of `cmd/app/other.go:168-208` (dupl)",
    "cmd/app/list.go:33:19: G602: slice index out of range (gosec)",
  ]);
});

Deno.test("failureLines() counts the findings of golangci-lint if there are many or if the output is cut off", () => {
  const rest = "\treturn nil\n\t^\n6 issues:\n* nilerr: 1\n* ireturn: 5\n[lint] ERROR task failed";
  assertEquals(failureLines(rest, 2), ["6 issues: nilerr: 1, ireturn: 5"]);
  const finding = "a/b.go:87:1: NewStore returns interface (ireturn)";
  assertEquals(failureLines(`${finding}\n${rest}`, 2), [
    "6 issues: nilerr: 1, ireturn: 5",
    finding,
  ]);
});

Deno.test("failureLines() joins the location of an assertion with its message", () => {
  const output = `--- FAIL: TestStart (0.05s)
    phase_test.go:32:
        \tError Trace:\t/p/phase_test.go:32
        \tError:      \tExpected value not to be nil.
FAIL`;
  assertEquals(failureLines(output, 2), [
    "--- FAIL: TestStart (0.05s)",
    "phase_test.go:32: Error:      \tExpected value not to be nil.",
  ]);
});

Deno.test("failureLines() shows an unknown option instead of the usage after it", () => {
  const output = "Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [flags]\n" +
    "  -w, --web  Open the diff in the browser";
  assertEquals(failureLines(output, 1), ["unknown flag: --stat"]);
});

Deno.test("lastLines() counts passed packages instead of naming the last two", () => {
  const ok = (name: string): string => `ok  \texample.org/${name}\t(cached)`;
  assertEquals(lastLines(["a", "b", "c"].map(ok).join("\n") + "\n0 issues.", 2), [
    "ok: 3 packages",
    "0 issues.",
  ]);
  assertEquals(lastLines(["a", "b"].map(ok).join("\n"), 2), [ok("a"), ok("b")]);
});

Deno.test("lastLines() shows the start of a preview, because a preview ends at an arbitrary place", () => {
  const output =
    "<persisted-output>\nOutput too large (106KB). Full output saved to: /tmp/a.txt\n\n" +
    "Preview (first 2KB):\na/x.go:1-40: duplicate of b/y.go:3-42\nfunc x() {\n\treturn 1\n...";
  assertEquals(lastLines(output, 1), ["a/x.go:1-40: duplicate of b/y.go:3-42"]);
});

Deno.test("lastLines() leaves out the markup at the end of a bot's comment", () => {
  const output = `cursor[bot] on src/a.ts:12
The lock is never released.
<!-- LOCATIONS START
src/a.ts#L12
LOCATIONS END -->
<p><a href="https://example.com/fix"><picture><img alt="Fix"></picture></a></p>`;
  assertEquals(lastLines(output, 2), ["The lock is never released.", "src/a.ts#L12"]);
});

Deno.test("failureLines() adds the file's path to an ESLint error", () => {
  const output = "Exit code 1\n\n/p/src/a.ts\n  3:5  error  'x' is never used  no-unused-vars\n" +
    "  9:1  warning  Unexpected console statement  no-console\n\n/p/src/b.ts\n" +
    "  1:1  error  Missing return type  return-type\n\n✖ 3 problems (2 errors, 1 warning)";
  assertEquals(failureLines(output, 2), [
    "/p/src/a.ts:3:5  error  'x' is never used  no-unused-vars",
    "/p/src/b.ts:1:1  error  Missing return type  return-type",
  ]);
});

Deno.test("failureLines() shows why a push was rejected", () => {
  const output = "To github.com:o/r.git\n ! [rejected]        main -> main (fetch first)\n" +
    "error: failed to push some refs to 'github.com:o/r.git'";
  assertEquals(failureLines(output, 1), ["! [rejected]        main -> main (fetch first)"]);
});

Deno.test("failureLines() adds the file only to the errors of ESLint, and the message to a bare location", () => {
  const lint = "/p/src/a.ts\n  3:5  error  'x' is not defined\nerror: lint failed";
  assertEquals(failureLines(lint, 5), [
    "/p/src/a.ts:3:5  error  'x' is not defined",
    "error: lint failed",
  ]);
  assertEquals(failureLines("a_test.go:12:\nError: want 3 rows\nError: it ends", 5), [
    "a_test.go:12: Error: want 3 rows",
    "Error: it ends",
  ]);
});

Deno.test("failureLines() counts more than three findings, and any number without a location", () => {
  const places = [1, 2].map((line) => `a.go:${line}:2: unchecked error (errcheck)`);
  const lint = (count: number): string =>
    [`${count} issues:`, `* errcheck: ${count}`, ...places].join("\n");
  assertEquals(failureLines(lint(3), 5), places);
  assertEquals(failureLines(lint(4), 5), ["4 issues: errcheck: 4", ...places]);
  assertEquals(failureLines("3 issues:\n* errcheck: 3", 5), ["3 issues: errcheck: 3"]);
});

Deno.test("failureLines() keeps the log of a test that reports nothing else", () => {
  const output =
    "--- FAIL: TestRows (0.01s)\n    error while loading\n    a_test.go:7: opened rows";
  assertEquals(failureLines(output, 5), [
    "--- FAIL: TestRows (0.01s)",
    "a_test.go:7: opened rows",
    "error while loading",
  ]);
});
