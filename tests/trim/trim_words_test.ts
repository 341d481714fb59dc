import { assertEquals } from "@std/assert";
import { stayWords } from "../../src/trim/trim_words.ts";

Deno.test("stayWords() names what stays because it is in use, and what is protected", () => {
  const none = { newest: 0, passages: 0, unused: 0, protectedCount: 0 };
  const cases: readonly (readonly [stays: Partial<typeof none>, lines: string[]])[] = [
    [{}, []],
    [{ newest: 5 }, []],
    [{ unused: 1 }, ["Kept because it is in use: 1 file read not used yet"]],
    [{ newest: 2, passages: 3 }, [
      "Kept because it is in use: 2 long outputs among the newest, passages of 3 file reads",
    ]],
    [{ protectedCount: 4 }, ["Kept: 4 about protected paths"]],
  ];
  for (const [stays, lines] of cases) assertEquals(stayWords({ ...none, ...stays }), lines);
});
