import { assertEquals } from "@std/assert";
import { keptTexts } from "../../src/trim/trim_words.ts";

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
      [{ unused: 1 }, ["Kept because it is in use: 1 file read not used yet"]],
      [{ newest: 2, passages: 3 }, [
        "Kept because it is in use: 2 long outputs among the newest, passages of 3 file reads",
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
