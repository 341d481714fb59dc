import { assertEquals } from "@std/assert";
import { NO_TOTALS, parseTestReport } from "../../tools/totals.ts";

const PARALLEL = `left to full runs: 1 of 2 cases
------- output -------
evil ... ignored (0ms)
ok | 99 passed | 0 failed (1ms)
./tests/b_test.ts => x ...----- output end -----
./tests/b_test.ts => x ... ok (3ms)
./tests/b_test.ts => needs tmux ... (no tmux) ... ignored (0ms)
./tests/b_test.ts => steps ... s1 ... s2 ... ignored (1ms)
./tests/b_test.ts => steps ... ok (4ms)

ok | 3 passed (3 steps) | 0 failed | 1 ignored (1 step) | 2 filtered out (1m3s)

`;

const SERIAL = `running 3 tests from ./tests/a_test.ts
a ... ok (58ms)
b (needs x) ... ignored (0ms)
c ...
  s1 ... ok (1ms)
  s2 ... ignored (0ms)
c ... FAILED (due to 1 failed step) (1ms)

FAILED | 1 passed (1 step) | 2 failed (1 step) | 1 ignored (1 step) (78ms)
`;

Deno.test("parseTestReport() reads the counts of a parallel report and ignores the output of tests", () => {
  assertEquals(parseTestReport(PARALLEL, true), {
    ...{ passed: 3, failed: 0, skipped: 2, leftOut: ["1 of 2 cases"] },
    skippedNames: ["needs tmux ... (no tmux)", "steps ... s1 ... s2"],
  });
});

Deno.test("parseTestReport() counts a serial report with failures", () => {
  const counts = { passed: 1, failed: 2, skipped: 2, leftOut: [] };
  assertEquals(parseTestReport(SERIAL, false), { ...counts, skippedNames: ["b (needs x)", "s2"] });
});

Deno.test("parseTestReport() counts a failure when the run failed without a failed test, or no test ran", () => {
  assertEquals(parseTestReport(PARALLEL, false).failed, 1);
  assertEquals(parseTestReport("error: Type checking failed.\n", false).failed, 1);
  assertEquals(parseTestReport("", false), { ...NO_TOTALS, failed: 1 });
  assertEquals(parseTestReport("\nok | 0 passed | 0 failed (1ms)\n", true).failed, 1);
  assertEquals(parseTestReport("", true).failed, 1);
});
