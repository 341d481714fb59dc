import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  LONG_LINE_BYTES,
  LONG_TEXT_BYTES,
  readBriefly,
  shortenTexts,
} from "../../src/transcript/long_lines.ts";

const RUNS = { numRuns: 300, seed: 20261122 };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("shortenTexts() keeps JSON valid, and keeps the start of every text", () => {
  const anyText = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "\0", "é", "語", "😀") });
  const property = fc.property(
    fc.array(fc.tuple(anyText, fc.nat(9))),
    fc.nat(12),
    (pairs, maxBytes) => {
      const json = JSON.stringify(pairs);
      const short: unknown = JSON.parse(
        new TextDecoder("utf-8", { fatal: true }).decode(shortenTexts(bytes(json), maxBytes)),
      );
      assert(Array.isArray(short));
      assertEquals(short.length, pairs.length);
      for (const [n, [text, number]] of pairs.entries()) {
        assertEquals(short[n][1], number);
        assert(text.startsWith(short[n][0]), text);
        const isWhole = bytes(JSON.stringify(text)).length - 2 <= maxBytes;
        if (isWhole) assertEquals(short[n][0], text);
      }
    },
  );
  fc.assert(property, RUNS);
});

Deno.test("shortenTexts() does not split an escape", () => {
  const short = (json: string, maxBytes: number): string =>
    new TextDecoder().decode(shortenTexts(bytes(json), maxBytes));
  assertEquals(short('["12\\u00e9","\\\\\\\\x","\\"\\"\\""]', 5), '["12","\\\\\\\\x","\\"\\""]');
  assertEquals(short('["1\\u00e9xy"]', 7), '["1\\u00e9"]');
  assertEquals(short('["1\\u00e9xy"]', 6), '["1"]');
  assertEquals(short('["1\\nxy"]', 3), '["1\\n"]');
});

Deno.test("readBriefly() keeps long texts in a line of normal length, and returns nothing for a torn long line", () => {
  const text = "x".repeat(LONG_TEXT_BYTES + 1);
  const [whole] = readBriefly(bytes(JSON.stringify({ text })));
  assertEquals(whole?.entry.raw.text, text);
  const long = JSON.stringify({ text: "x".repeat(LONG_LINE_BYTES) });
  assertEquals(readBriefly(bytes(long.slice(0, -1))), []);
});

Deno.test("readBriefly() reads two entries on one long line, up to the broken part", () => {
  const long = JSON.stringify({ type: "user", text: "é".repeat(LONG_LINE_BYTES / 2) });
  const found = readBriefly(bytes(` ${long}{"type":"mode"}{"torn`));
  const middle = bytes(long).length + 1;
  assertEquals(found.map(({ entry, start, end }) => [entry.type, start, end]), [
    ["user", 1, middle],
    ["mode", middle, middle + 15],
  ]);
  assertEquals(readBriefly(bytes(`${"words ".repeat(LONG_LINE_BYTES / 6)} {}`)), []);
});
