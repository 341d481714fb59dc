import { assertEquals } from "@std/assert";
import { outcomeOf } from "../../src/inject/outcome.ts";

type End = "passed" | "failed" | "unseen" | "no test" | "open";

function endOf(line: string, result: string, isError = false): End | string {
  const outcome = outcomeOf(line, { isError, result });
  if (outcome.unrun !== undefined) return outcome.unrun;
  if (outcome.isFailed) return "failed";
  if (outcome.isUnseen) return "unseen";
  if (outcome.ranNoTest) return "no test";
  return outcome.isPassed ? "passed" : "open";
}

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
  ["go test ./...", "no test files found", "no test"],
  ["go test ./...", "Command running in background with ID: b1", "open"],
  ["grep -rn test src | head", "FAIL: the word in a file", "passed"],
  ["git merge main || true", "CONFLICT (content): Merge conflict in a.ts", "failed"],
  ["git push; true", "error: failed to push some refs", "failed"],
  ["git push 2>&1 | tail -2", "error: failed to push some refs", "failed"],
  ["git checkout a || git checkout -b a", "error: pathspec 'a' did not match", "passed"],
];

Deno.test("outcomeOf() distinguishes outcomes that passed, failed, were hidden by a filter, or are unknown", () => {
  for (const [line, result, end] of CASES) assertEquals(endOf(line, result), end, line);
});

Deno.test("outcomeOf() recognizes a call that never ran, and lists no commands for it", () => {
  const result = "The user doesn't want to proceed with this tool use.";
  assertEquals(outcomeOf("npm test", { isError: true, result }).runs, []);
  assertEquals(endOf("npm test", result, true), "stopped by the user");
});
