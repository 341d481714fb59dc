import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { fileHeadUnits, readNotice } from "../../src/core/marks.ts";
import { shapedNotice } from "../../src/inject/shaped_notice.ts";
import { truncateContent, truncationNotice } from "../../src/trim/left.ts";

const RUNS = { numRuns: 200, seed: 20261122 };
const WHERE = { lineNumber: 5, parentFile: "b82405ba" };

Deno.test("truncateContent() keeps a text at the threshold and cuts one over it", () => {
  const options = { threshold: 500, ...WHERE };
  assertEquals(truncateContent("x".repeat(500), options), "x".repeat(500));
  assertEquals(
    truncateContent("x".repeat(1000), options),
    "x".repeat(500) +
      "\n\n[...truncated - original was 1,000 chars, showing first 500. " +
      "See line 5 of b82405ba for full content]",
  );
});

Deno.test("truncateContent() keeps a text that a notice would not make shorter", () => {
  const notice = truncationNotice(600, { threshold: 500, ...WHERE }).length;
  const options = { threshold: 500, ...WHERE };
  const same = "x".repeat(500 + notice);
  assertEquals(truncateContent(same, options), same);
  assertEquals(truncateContent(same + "x", options).length, 500 + notice);
});

Deno.test("truncateContent() counts code points and never splits a surrogate pair", () => {
  const cut = truncateContent("😀".repeat(1234), { threshold: 3, ...WHERE });
  assert(cut.startsWith("😀😀😀\n\n[...truncated - original was 1,234 chars, showing first 3."));
  assertEquals(truncateContent("😀".repeat(400), { threshold: 400, ...WHERE }), "😀".repeat(400));
});

Deno.test("truncateContent() keeps the path of an output that was moved to a file", () => {
  const head = "<persisted-output>\nOutput too large. Saved to: /x/tool-results/été.txt";
  const content = `${head}\n\nPreview (first 2KB):\n${"p".repeat(2000)}\n</persisted-output>`;
  const cut = truncateContent(content, { threshold: 0, ...WHERE });
  assert(cut.startsWith(`${head}\n\n[...truncated`), cut);
  assert(cut.includes(`showing first ${head.length}.`));
  assertEquals(fileHeadUnits(content), head.length);
  assertEquals(fileHeadUnits(`x${content}`), 0);
});

Deno.test("truncateContent() leaves placeholders and truncated texts alone", () => {
  const options = { threshold: 0, ...WHERE };
  const once = truncateContent("y".repeat(900), { threshold: 500, ...WHERE });
  assertEquals(truncateContent(once, options), once);
  const masked = `[Read result masked -- 12 lines, starts with: ${"z".repeat(20)}]`;
  assertEquals(truncateContent(masked, options), masked);
});

Deno.test("truncateContent() refuses a threshold that is no count", () => {
  for (const threshold of [-1, 0.5, NaN, Infinity]) {
    assertThrows(() => truncateContent("x", { threshold, ...WHERE }), RangeError, "threshold");
  }
});

Deno.test("truncateContent() of any text is shorter or the same, and of its own result the same", () => {
  const anyThreshold = fc.integer({ min: 0, max: 300 });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 900 }), anyThreshold, (text, threshold) => {
      const options = { threshold, ...WHERE };
      const cut = truncateContent(text, options);
      if (cut !== text) {
        assert([...cut].length < [...text].length);
        assert(cut.startsWith([...text].slice(0, threshold).join("")));
        assert(readNotice(cut));
      }
      assertEquals(truncateContent(cut, options), cut);
    }),
    RUNS,
  );
});

Deno.test("truncationNotice() groups the digits of the original's length alone", () => {
  const options = { threshold: 12_345, lineNumber: 67_890, parentFile: "p" };
  assertEquals(
    truncationNotice(1_234_567, options),
    "\n\n[...truncated - original was 1,234,567 chars, showing first 12345. " +
      "See line 67890 of p for full content]",
  );
  assertEquals(truncationNotice(999, options).includes("was 999 chars"), true);
});

Deno.test("truncateContent() keeps the line on where a shaped output is whole, behind whatever the client puts", () => {
  const line = shapedNotice({ chars: 30_000, lines: 900, path: "/p/été 😀/toolu_1.txt" });
  for (const before of ["", "Found 12 files\n", "0\t", "     0\t"]) {
    const head = before + line;
    const content = `${head}\n${"rest of it\n".repeat(90)}`;
    const cut = truncateContent(content, { threshold: 0, ...WHERE });
    assert(cut.startsWith(`${head}\n\n[...truncated - original was `));
    assertEquals(truncateContent(cut, { threshold: 0, ...WHERE }), cut);
    assertEquals(fileHeadUnits(content), head.length);
  }
  for (
    const other of [`x${line}`, `[trimtab: shaped from a to z]`, "Found 12 files\na.ts", "0\tx"]
  ) {
    assertEquals(fileHeadUnits(`${other}\nrest`), 0);
  }
});
