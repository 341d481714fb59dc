import { assertEquals } from "@std/assert";
import { folderLines } from "../../src/inject/folder_lines.ts";

Deno.test("folderLines() lists each folder once, and counts files that do not fit", () => {
  const paths = ["src/a.ts", "README.md", "src/b.ts", "docs/c.md", "LICENSE"];
  assertEquals(folderLines(paths, 1_000), [
    "- src/ a.ts, b.ts",
    "- README.md, LICENSE",
    "- docs/c.md",
  ]);
  assertEquals(folderLines(paths, 45), ["- src/a.ts", "- README.md", "(3 more)"]);
  assertEquals(folderLines([], 100), []);
  assertEquals(folderLines(["src/a.ts"], 29), ["- src/a.ts"]);
  assertEquals(folderLines(["src/a.ts"], 28), ["(1 more)"]);
});
