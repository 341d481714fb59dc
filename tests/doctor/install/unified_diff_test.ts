import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "../../../src/doctor/install/unified_diff.ts";

/** Applies a diff as `patch` would, to see that it says what it means. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const output: string[] = [];
  let at = 0;
  for (const line of diff.split(/(?<=\n)/).slice(2)) {
    const [, from = "0", count = "0"] = /^@@ -(\d+),(\d+) /.exec(line) ?? [];
    if (line.startsWith("@@")) {
      const start = Number(count) === 0 ? Number(from) : Number(from) - 1;
      output.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith("\\")) {
      output.push((output.pop() ?? "").replace(/\n$/, ""));
    } else {
      if (line.startsWith("+")) output.push(line.slice(1));
      else if (line.startsWith(" ")) output.push(lines[at++] ?? "");
      else at++;
    }
  }
  return [...output, ...lines.slice(at)].join("");
}

Deno.test("unifiedDiff() shows what changes with three lines around it", () => {
  const before = Array.from({ length: 20 }, (_, n) => `${n + 1}\n`).join("");
  const after = before.replace("5\n", "five\n").replace("18\n", "");
  assertEquals(
    unifiedDiff(before, after, "f"),
    "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" +
      "@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n",
  );
});

Deno.test("unifiedDiff() says nothing of nothing, and names a file that comes or goes", () => {
  assertEquals(unifiedDiff("a\n", "a\n", "f"), "");
  assertEquals(
    unifiedDiff(null, "a", "f"),
    "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n",
  );
  assertEquals(unifiedDiff("a\n", null, "f"), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
});

Deno.test("unifiedDiff() turns one text into the other, whatever they are (seed 20260302)", () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 40 })
    .map((lines) => lines.join(""));
  const property = fc.property(text, text, (before, after) => {
    fc.pre(before !== after);
    assertEquals(patched(before, unifiedDiff(before, after, "f")), after);
  });
  fc.assert(property, { numRuns: 300, seed: 20260302 });
});
