import { assertEquals } from "@std/assert";
import { outline, readProse, sentencesOf } from "../../src/inject/prose.ts";

Deno.test("outline() drops a label whose table or code is not shown", () => {
  const table = "| Task | File |\n|---|---|\n| Read | a.ts |";
  assertEquals(
    outline(readProse(`Summary:\n${table}\n\nExisting code:\n- a.ts reads it\n- b.ts`), 200),
    "Existing code: a.ts reads it; b.ts",
  );
  assertEquals(outline(readProse("Storage:\nOne file. It is small."), 200), "Storage: One file.");
});

Deno.test("sentencesOf() ends no sentence at an abbreviation", () => {
  const words = "One text (shared vs. one per skill), or is it enough?";
  assertEquals(sentencesOf(`${words} Yes, e.g. Both.`), [words, "Yes, e.g. Both."]);
});
