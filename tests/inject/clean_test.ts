import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { cleanLine, cleanText } from "../../src/inject/clean.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = { numRuns: 1_000, seed: 20260312 };

function controlText(): fc.Arbitrary<string> {
  const pieces = ["\x1b[", "31m", "\x1b]0;t", "\x07", "\x9b2J", "\r", "\n", "\t", "\0", "\ud83d"];
  const unseen = ["\u202e", "\u200b", "\ufeff", "\u2028", "\u200d", "a", " ", "\u{1f600}", "\x1b"];
  return fc.array(fc.oneof(fc.constantFrom(...pieces, ...unseen), anyCharacters()))
    .map((parts) => parts.join(""));
}

Deno.test("cleanText() removes control and invisible characters", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["colors", "\x1b[1;31mred\x1b[0m", "red"],
    ["a control sequence that starts with a single byte", "a\x9b2Jb", "ab"],
    ["a window title", "\x1b]0;owned\x07ok", "ok"],
    ["a link", "\x1b]8;;http://x\x1b\\name\x1b]8;;\x1b\\", "name"],
    ["only the start of an unterminated title", "\x1b]0;kept\nnext", "0;kept\nnext"],
    ["a charset switch", "\x1b(Bx", "x"],
    ["control characters", "a\0b\x08c\x7fd\x85e", "abcde"],
    ["tabs and line feeds stay", "a\tb\nc", "a\tb\nc"],
    ["every line end becomes a line feed", "a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
    ["direction marks", "\u202eabc\u202c\u2066x\u2069\u200f", "abcx"],
    ["invisible characters between letters", "a\u200bb\u00adc\ufeffd\u2060e", "abcde"],
    ["joiners of emoji stay", "\u{1f468}\u200d\u{1f469}", "\u{1f468}\u200d\u{1f469}"],
    ["half a surrogate pair", "a\ud83db", "a\ufffdb"],
  ];
  for (const [name, text, expected] of rows) assertEquals(cleanText(text), expected, name);
});

Deno.test("cleanText() removes every control character except tabs and line feeds, and is idempotent", () => {
  fc.assert(
    fc.property(controlText(), (text) => {
      const cleaned = cleanText(text);
      assert(cleaned.isWellFormed());
      assert(!/[^\P{Cc}\t\n]|[\u{200b}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(cleaned));
      assertEquals(cleanText(cleaned), cleaned);
    }),
    RUNS,
  );
});

Deno.test("cleanLine() puts all words on one line", () => {
  assertEquals(cleanLine(" a\n\n b\t\x1b[31mc \r\n"), "a b c");
  assertEquals(cleanLine("\n\0\t"), "");
});
