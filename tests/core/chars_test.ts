import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { countChars, indexOfChar } from "../../src/core/chars.ts";

const RUN = { numRuns: 1000, seed: 20_261_122 };

/** Texts with pairs, halves of pairs and plain letters side by side. */
const text = fc.string({
  unit: fc.constantFrom("a", "é", "字", "😀", "\ud83d", "\ude00", "\u0301"),
  maxLength: 20,
});

Deno.test("countChars() counts a surrogate pair as one", () => {
  assertEquals(countChars(""), 0);
  assertEquals(countChars("a😀b"), 3);
  assertEquals(countChars("😀😀"), 2);
});

Deno.test("countChars() counts half a pair as one, wherever it stands", () => {
  assertEquals(countChars("\ud83d"), 1);
  assertEquals(countChars("\ude00\ud83d"), 2);
  assertEquals(countChars("\ud83d😀\ude00"), 3);
});

Deno.test("countChars() counts as the engine's own iteration does", () => {
  fc.assert(fc.property(text, (value) => assertEquals(countChars(value), [...value].length)), RUN);
});

Deno.test("indexOfChar() cuts where the engine's own iteration would, and never inside a pair", () => {
  fc.assert(
    fc.property(text, fc.nat(25), (value, chars) => {
      const head = [...value].slice(0, chars).join("");
      assertEquals(value.slice(0, indexOfChar(value, chars)), head);
    }),
    RUN,
  );
});

Deno.test("indexOfChar() ends with the text when more characters are asked for", () => {
  assertEquals(indexOfChar("a😀", 2), 3);
  assertEquals(indexOfChar("a😀", 99), 3);
  assertEquals(indexOfChar("", 5), 0);
});
