import { assertEquals } from "@std/assert";
import { keptTexts, sinceTrimText } from "../../src/trim/trim_words.ts";

Deno.test("keptTexts() names content in use, protected content, and tools that are not targets", () => {
  const none = {
    newest: 0,
    passages: 0,
    unused: 0,
    protectedCount: 0,
    otherTools: [],
    namedTools: [],
  };
  const cases:
    readonly (readonly [counts: Partial<Parameters<typeof keptTexts>[0]>, lines: string[]])[] = [
      [{}, []],
      [{ newest: 5 }, []],
      [{ unused: 1 }, ["Kept because it may still be needed: 1 file read not used yet"]],
      [{ newest: 2, passages: 3 }, [
        "Kept because it may still be needed: 2 long outputs among the newest, passages of 3 file reads",
      ]],
      [{ protectedCount: 4 }, ["Kept: 4 outputs about protected paths"]],
      [{ otherTools: ["Bash", "Read"] }, [
        "No output is cut: this session calls none of the tools whose results are cut, only Bash, Read. " +
        "Name others with: --tool",
      ]],
      [{ otherTools: ["Bash", "Read"], namedTools: ["Nope", "Glob"] }, [
        "No output is cut: this session does not call Nope, Glob, only Bash, Read",
      ]],
    ];
  for (const [counts, lines] of cases) assertEquals(keptTexts({ ...none, ...counts }), lines);
});

Deno.test("sinceTrimText() names unsent tokens only if there are any", () => {
  const since = { requests: 2, rereads: 0, recalls: 0, failedEdits: 0 };
  const unneeded = "no cut content was needed again";
  assertEquals(sinceTrimText(since, 0), `2 requests; ${unneeded}`);
  assertEquals(sinceTrimText(since, 3_000), `2 requests, 6k tokens not sent; ${unneeded}`);
});
