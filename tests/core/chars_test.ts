import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { countChars, countLines, indexBefore, indexOfChar } from "../../src/core/chars.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "é", "字", "😀", "\ud83d", "\ude00", "\u0301"),
  maxLength: 20,
});

Deno.test("countChars(), indexOfChar() and indexBefore() count characters as string iteration does", () => {
  fc.assert(
    fc.property(text, fc.nat(25), (value, chars) => {
      const points = [...value];
      assertEquals(countChars(value), points.length);
      assertEquals(value.slice(0, indexOfChar(value, chars)), points.slice(0, chars).join(""));
      const start = indexBefore(value, value.length, chars);
      assertEquals(start < 0, chars > points.length);
      if (chars > 0 && start >= 0) assertEquals(value.slice(start), points.slice(-chars).join(""));
    }),
    { numRuns: 1000, seed: 20_261_122 },
  );
});

Deno.test("countLines() does not count an empty line after a final line break", () => {
  assertEquals(["", "a", "a\n", "a\nb", "\n", "\n\n"].map(countLines), [0, 1, 1, 2, 1, 2]);
});
