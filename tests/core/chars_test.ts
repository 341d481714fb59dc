import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { countChars, countLines, indexOfChar, isLonger } from "../../src/core/chars.ts";

const RUN = { numRuns: 1000, seed: 20_261_122 };

const text = fc.string({
  unit: fc.constantFrom("a", "é", "字", "😀", "\ud83d", "\ude00", "\u0301"),
  maxLength: 20,
});

Deno.test("countChars() counts as the engine's own iteration does", () => {
  fc.assert(fc.property(text, (value) => assertEquals(countChars(value), [...value].length)), RUN);
});

Deno.test("indexOfChar() cuts like the engine's own iteration, and never inside a surrogate pair", () => {
  fc.assert(
    fc.property(text, fc.nat(25), (value, chars) => {
      const head = [...value].slice(0, chars).join("");
      assertEquals(value.slice(0, indexOfChar(value, chars)), head);
    }),
    RUN,
  );
});

Deno.test("isLonger() compares characters, not units", () => {
  fc.assert(
    fc.property(text, fc.nat(25), (value, chars) => {
      assertEquals(isLonger(value, chars), [...value].length > chars);
    }),
    RUN,
  );
});

Deno.test("countLines() counts no line after a final line break", () => {
  assertEquals(["", "a", "a\n", "a\nb", "\n", "\n\n"].map(countLines), [0, 1, 1, 2, 1, 2]);
});
