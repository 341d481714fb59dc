import { assertEquals } from "@std/assert";
import { describeCheck, outcomeOf, verdictIn } from "../../src/inject/outcome.ts";

type End = "passed" | "failed" | "unseen" | "no test" | "open";

function endOf(line: string, result: string, isError = false): End | string {
  const outcome = outcomeOf(line, { isError, result });
  if (outcome.unrun !== undefined) return outcome.unrun;
  if (outcome.isFailed) return "failed";
  if (outcome.isUnseen) return "unseen";
  if (outcome.ranNoTest) return "no test";
  return outcome.isPassed ? "passed" : "open";
}

const MOVED =
  "Command did not complete within its 120s timeout and was moved to the background (ID: b1).";

const CASES: readonly (readonly [line: string, result: string, end: End | string])[] = [
  ["npm test", "12 passed", "passed"],
  ["npm test | tail -3", "2 failed, 10 passed", "failed"],
  ["npm test | tail -3; echo done", "--- FAIL: login", "failed"],
  ["npm test | head -20", "starting", "unseen"],
  ["npm test | head -20", "12 passed", "passed"],
  ["npm test | grep FAIL", "", "unseen"],
  ["./test.sh | grep -E 'Step|count'", "count: 2", "unseen"],
  ["npm test | grep FAIL", "Command running in background with ID: b1", "open"],
  ["npm test | tail -3", "ERROR: no session", "failed"],
  ["npm test | tail -9", "ERROR: no session\nSummary: two steps", "failed"],
  ["npm test | tail -9", "Created it successfully\n\x1b[0;31mERROR: no session", "failed"],
  ["npm test | tail -9", "Created it successfully", "passed"],
  ["npm test | tail -9", "ERROR: logged by a test\n9 passed", "passed"],
  ["go run . list | head -5", "no TTY\nexit status 1\n", "failed"],
  ["go run . list", "the last program ended with\nexit status 1", "passed"],
  ["go test ./...", "no test files found", "no test"],
  ["go test ./...", "Command running in background with ID: b1", "open"],
  ["grep -rn test src | head", "FAIL: the word in a file", "passed"],
  ["git merge main || true", "CONFLICT (content): Merge conflict in a.ts", "failed"],
  ["git push; true", "error: failed to push some refs", "failed"],
  ["git push 2>&1 | tail -2", "error: failed to push some refs", "failed"],
  ["git checkout a || git checkout -b a", "error: pathspec 'a' did not match", "passed"],
  ["cat log; echo === test ===; npm test", "1 failed\n=== test ===\n", "passed"],
  ["(cd a; npm test)", "1 failed, then retried", "passed"],
  ["uv run pytest", MOVED, "open"],
];

/** Lines that exited with 0. Most of these lines exit with 0 even if their check fails. */
const ZERO_EXITS: readonly (readonly [line: string, result: string, end: End])[] = [
  ["npm test; seq 1 3", "1\n2\n3", "unseen"],
  ["npm test; seq 1 3", "3 passed\n1\n2\n3", "passed"],
  ["npm test\necho done", "done", "unseen"],
  ["npm test || true", "", "unseen"],
  ["npm test && ls; pwd", "/p", "unseen"],
  ["npm test; npm run lint", "", "passed"],
  ["npm test; git status --short", "ok 1 - adds\nnot ok 2 - subtracts\n# fail 1", "failed"],
  ["node --test 2>&1 | tail -40", "ok 1 - adds\nnot ok 2 - later # TODO\n# fail 0", "passed"],
  ["npm test; npm run build; ls", "Tests  5 passed (5)\nRollup could not resolve x", "unseen"],
  ["npm run build\n", "done", "passed"],
  ["npm run build;", "done", "passed"],
  ["npm run build\n# check it\n", "done", "passed"],
  ["go vet ./... 2>&1 | grep -vE '^#'; ls", "a.go", "passed"],
  ["cargo build; ls", "   Finished `dev` profile [unoptimized] target(s) in 0.03s", "passed"],
  // These lines exit with an error if their check fails.
  ["npm test || exit 1; ls", "a", "passed"],
  ["npm test || { cat log; exit 1; }; ls", "a", "passed"],
  ["set -e; npm test; ls", "a", "passed"],
  ["npm test > log 2>&1; rc=$?; tail -3 log; exit $rc", "x", "passed"],
  ["npm test; exit $?", "x", "passed"],
  // The output is redirected. The last two commands still show the outcome.
  ["npm test > /dev/null 2>&1; ls", "3 passed", "unseen"],
  ["npm test &> log; ls", "3 passed", "unseen"],
  ["npm test > 'log' 2>&1; tail -3 log", "3 passed", "passed"],
  ["npm test 2>/dev/null; ls", "3 passed", "passed"],
  // Later commands print the exit codes.
  ["npm test > log 2>&1; echo EXIT=$?", "EXIT=1", "failed"],
  ["npm test > log 2>&1; echo EXIT=$?", "EXIT=0", "passed"],
  ["npm test; echo $?", "2 files\n1", "failed"],
  ["npm test; echo $?; wc -l < log", "0\n7", "unseen"],
  ['npm test > log; rc=$?; tail -3 log; echo "exit: $rc"', "x\nexit: 2", "failed"],
  ["npm test | tail -3; echo $?", "a\n0", "unseen"],
  ["npm test | tail -3; echo ${PIPESTATUS[0]}", "a\n1", "failed"],
  ['npm test | tail -3; echo "exit ${PIPESTATUS[0]}"', "a\nexit ", "unseen"],
  ['npm test; echo "$NAME: $?"', "a: 1", "unseen"],
  ["npm test; echo code=$? > end", "code=1", "unseen"],
  ["npm test; echo a=$?; npm run lint; echo a=$?", "a=0\na=1", "failed"],
  // Later commands print words such as "ok", or do not run.
  ["npm test; echo ok", "ok", "unseen"],
  ["npm test && echo ok; ls", "ok\na", "passed"],
  ["npm test && npm run lint && echo ok; ls", "ok\na", "passed"],
  ["npm test && echo ok; ls", "a", "unseen"],
  ["npm test || echo broken", "", "passed"],
  ["npm test || echo broken", "broken", "unseen"],
  ["npm test && echo PASS || echo FAIL", "FAIL", "failed"],
  ["npm test || npm run build", "built", "unseen"],
  ["npm test || npm run build", "3 passed", "unseen"],
  ["ls a || npm test", "3 passed", "passed"],
  ["npm test; echo 'FAIL lines:'; grep FAIL log", "FAIL lines:", "unseen"],
  // Commands that print only errors.
  ["go build ./...; ls", "a", "passed"],
  ["go vet ./... 2>&1 | grep -v 'a\\|b' | head; ls", "a", "passed"],
  ["go build ./... > log; ls", "a", "unseen"],
  ["go build ./...; ls", "fatal: x", "unseen"],
  ["go test ./... | grep -v '^ok'; echo done", "done", "passed"],
  ["npx tsc --noEmit; git diff --stat", "a.ts(1,2): error TS2304: Cannot find name 'x'.", "failed"],
  // Reports of package managers and checkers.
  ["npm test 2>&1 | tail -3", "npm error A complete log of this run is in /x.log", "failed"],
  ["npm test 2>&1 | tail -3", "npm ERR! Test failed.  See above for more details.", "failed"],
  ["npm run build || true", 'npm error Missing script: "build"', "failed"],
  ["pnpm test; ls", "\x1b[41m\u2009ELIFECYCLE\u2009\x1b[49m Test failed.", "failed"],
  ["yarn test; ls", "error Command failed with exit code 1.", "failed"],
  ["npx tsc | tail -2; git diff", "Found 3 errors in 1 file.", "failed"],
  ["npx eslint .; ls", "✖ 3 problems (2 errors, 1 warning)", "failed"],
  ["npx eslint .; ls", "✖ 3 problems (0 errors, 3 warnings)", "passed"],
  ["ruff check --fix .; ls", "Found 3 errors (3 fixed, 0 remaining).", "unseen"],
  ["npm ls x; npm test; ls", "npm error code 1", "unseen"],
  ["npm install; go test ./...", "npm error code 1\nok  \tx\t1s", "passed"],
];

Deno.test("outcomeOf() distinguishes checks that passed, checks that failed, and checks with a hidden or unknown outcome", () => {
  for (const [line, result, end] of CASES) assertEquals(endOf(line, result), end, line);
});

Deno.test("outcomeOf() reports a check as passed only if an exit code or the output shows it", () => {
  for (const [line, result, end] of ZERO_EXITS) {
    assertEquals(endOf(line, result), end, `${line}: ${result}`);
  }
});

Deno.test("outcomeOf() reports which commands of a line failed, and which outcomes are unknown", () => {
  const runsOf = (line: string, result: string, isError = false): string[] =>
    outcomeOf(line, { isError, result }).runs.map((run) => {
      const end = run.isFailed ? "failed" : run.isUnseen ? "unseen" : undefined;
      return `${run.words} ${end ?? (run.isOutcomeUnknown ? "open" : "passed")}`;
    });
  const rows = [
    ["npm test; echo $?; npm run lint", "1", ["npm test failed", "npm run lint passed"]],
    ["npm test | tail -2; npm run lint", "2 failed", ["npm test failed", "npm run lint passed"]],
    [
      'go build ./... | head; echo "== vet =="; go vet . | head; echo "== test =="; go test . | tail -3',
      "== vet ==\nvet: a.go:9:4: undefined: x\n== test ==\nok  \ta/b\t0.1s",
      ["go build ./... passed", "go vet . failed", "go test . passed"],
    ],
    ["npm test > /dev/null; npm run lint", "0 errors", ["npm test unseen", "npm run lint passed"]],
  ] as const;
  for (const [line, result, runs] of rows) assertEquals(runsOf(line, result), [...runs], line);
  const failedRows = [
    ["npm test; npm run lint", "✗ a", ["npm test unseen", "npm run lint failed"]],
    ["npm test && npm run lint", "✗ a", ["npm test passed", "npm run lint failed"]],
    ["npm test | tail -2; npm run lint", "9 passed\n2 errors", [
      "npm test passed",
      "npm run lint failed",
    ]],
    ["npm test | tail -2; npm run lint", "1 failed, 9 passed\n2 errors", [
      "npm test unseen",
      "npm run lint failed",
    ]],
    ["npm run lint | tail; npm test", "0 issues.\n1 failed, 9 passed", [
      "npm run lint passed",
      "npm test failed",
    ]],
    ["npm run fmt; npm test", "1 failed, 9 passed", ["npm run fmt unseen", "npm test failed"]],
    ["npm test; grep -c x log", "0", ["npm test unseen"]],
    ["npm test; git push", "3 passed\nfatal: no upstream", ["npm test passed", "git push failed"]],
    ["npm test; git push", "1 failed\nfatal: no upstream", ["npm test failed", "git push open"]],
    ["gofmt -w a.go; go test ./...", "--- FAIL: TestA", [
      "gofmt -w a.go passed",
      "go test ./... failed",
    ]],
    ["gofmt -w a.go; go test ./...", "a.go:3:1: expected }", [
      "gofmt -w a.go unseen",
      "go test ./... failed",
    ]],
  ] as const;
  for (const [line, result, runs] of failedRows) {
    assertEquals(runsOf(line, result, true), [...runs], line);
  }
});

Deno.test("outcomeOf() recognizes a call that never ran, and lists no commands for it", () => {
  const result = "The user doesn't want to proceed with this tool use.";
  assertEquals(outcomeOf("npm test", { isError: true, result }).runs, []);
  assertEquals(endOf("npm test", result, true), "stopped by the user");
});

Deno.test("describeCheck() names the failed check, or the last check if none failed and its end is known", () => {
  const described = (command: string, result: string, isError = false): string =>
    describeCheck(command, { isError, result });
  assertEquals(described("npm run lint; npm test", "2 passed"), "a passing `npm test`");
  assertEquals(described("npm test", "1 failed", true), "a failing `npm test`");
  assertEquals(described("ls", "a"), "");
  assertEquals(described("npm test | head -3", "a\nb\nc"), "");
});

Deno.test("verdictIn() reads a clear verdict in the first two sentences", () => {
  const verdict = "All tests pass.";
  assertEquals([verdictIn(verdict), verdictIn(`It is. ${verdict}`)], [verdict, verdict]);
  for (
    const other of [`It is. So. ${verdict}`, "The tests should pass.", "It works, but one fails."]
  ) {
    assertEquals(verdictIn(other), "", other);
  }
});
