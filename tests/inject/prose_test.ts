import { assertEquals } from "@std/assert";
import { outline, readProse } from "../../src/inject/prose.ts";

Deno.test("outline() drops a label whose table or code is not shown", () => {
  const table = "| Task | File |\n|---|---|\n| Read | a.ts |";
  assertEquals(
    outline(readProse(`Summary:\n${table}\n\nExisting code:\n- a.ts reads it\n- b.ts`), 200),
    "Existing code: a.ts reads it; b.ts",
  );
  assertEquals(outline(readProse("Storage:\nOne file. It is small."), 200), "Storage: One file.");
});
