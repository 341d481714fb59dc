import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { excerpt, excerptLine } from "../../src/inject/excerpt.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = { numRuns: 500, seed: 20261122 };

/** Built at run time, since a literal token would trigger credential scanners. */
const TOKEN = `ghp_${"aB3dE5gH7jK9mN1pQ3sT".repeat(2).slice(0, 36)}`;

Deno.test("excerpt() and excerptLine() return clean, well-formed text within the limit, for any text", () => {
  const texts = fc.oneof(
    anyCharacters({ maxLength: 300 }),
    fc.string({ maxLength: 300 }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 100 }), (text, max) => {
      for (const kept of [excerpt(text, max), excerptLine(text, max)]) {
        assert(kept.length <= max, kept);
        assert(kept.isWellFormed());
        assertEquals(kept.trim(), kept);
        assert(!kept.includes("\0") && !kept.includes("\x1b"));
      }
      assert(!excerptLine(text, max).includes("\n"));
    }),
    RUNS,
  );
});

Deno.test("excerpt() shows no part of a credential, wherever the text is cut", () => {
  for (let before = 0; before < 80; before++) {
    const text = `${"x ".repeat(before)}${TOKEN} y`;
    for (const max of [20, 60, 100]) {
      const kept = excerpt(text, max);
      assert(!kept.includes(TOKEN.slice(0, 12)), kept);
    }
  }
});

Deno.test("excerpt() shows no part of a credential that begins just before the end of the screened text", () => {
  const limit = 64 * 1024;
  for (const start of [limit - 50, limit - 20, limit - 5, limit - 1]) {
    const before = "word ".repeat(limit / 5).slice(0, start - 1);
    const text = `${before} ${TOKEN} ${"and more ".repeat(20)}`;
    assertEquals(text.indexOf(TOKEN), start);
    const kept = excerpt(text, 2 * limit);
    assert(!kept.includes("ghp_"), kept.slice(-80));
    assert(kept.endsWith("…"));
  }
});

Deno.test("excerpt() accepts text without spaces", () => {
  const kept = excerpt("x".repeat(1_000_000), 100_000);
  assert(kept.length > 50_000 && kept.length < 100_000);
});
