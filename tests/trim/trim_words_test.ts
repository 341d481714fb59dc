import { assertEquals } from "@std/assert";
import { keptTexts, sinceTrimText } from "../../src/trim/trim_words.ts";

Deno.test("keptTexts() names content in use, protected content, and tools that are not targets", () => {
  const none = { newest: 0, passages: 0, unused: 0, protectedCount: 0 };
  const names = { otherTools: [], namedTools: [] };
  const others = { otherTools: ["Bash", "Read"] };
  const maybe = "Kept because it may still be needed: ";
  const cases: [counts: Partial<Parameters<typeof keptTexts>[0]>, line: string | null][] = [
    [{}, null],
    [{ newest: 5 }, null],
    [{ unused: 1 }, `${maybe}1 file read not used yet`],
    [
      { newest: 2, passages: 3 },
      `${maybe}2 long outputs among the newest, passages of 3 file reads`,
    ],
    [{ protectedCount: 4 }, "Kept: 4 outputs about protected paths"],
    [
      others,
      "No output is cut: this session calls none of the tools whose results are cut, only Bash, Read. " +
      "Name others with: --tool",
    ],
    [
      { ...others, namedTools: ["Nope", "Glob"] },
      "No output is cut: this session does not call Nope, Glob, only Bash, Read",
    ],
  ];
  for (const [counts, line] of cases) {
    assertEquals(keptTexts({ ...none, ...names, ...counts }), line === null ? [] : [line]);
  }
});

Deno.test("sinceTrimText() names unsent tokens only if there are any", () => {
  const since = { requests: 2, rereads: 0, recalls: 0, failedEdits: 0 };
  const unneeded = "no cut content was needed again";
  assertEquals(sinceTrimText(since, 0), `2 requests; ${unneeded}`);
  assertEquals(sinceTrimText(since, 3_000), `2 requests, 6k tokens not sent; ${unneeded}`);
});
