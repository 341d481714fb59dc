import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodeRaw, escapeRaw, measureRaw } from "../../src/trim/edit/raw_string.ts";
import { rawTextOf } from "./raw_texts.ts";
import { anyJsonString, escaped } from "./raw_json.ts";

const RUNS = { numRuns: 500, seed: 20261122 };

Deno.test("measureRaw() counts any text's characters, however they are escaped", () => {
  fc.assert(
    fc.property(anyJsonString, ({ text, raw }) => {
      const held = rawTextOf(`"${raw}"`);
      const end = held.text.length - 1;
      assertEquals(measureRaw(held, 1, end), { chars: [...text].length, end });
    }),
    RUNS,
  );
});

Deno.test("measureRaw() stops behind any number of whole characters", () => {
  fc.assert(
    fc.property(anyJsonString, fc.nat({ max: 60 }), ({ text, raw }, count) => {
      const held = rawTextOf(`"${raw}"`);
      const last = held.text.length - 1;
      const { chars, end } = measureRaw(held, 1, last, count);
      const wanted = [...text].slice(0, count);
      assertEquals(chars, wanted.length);
      assertEquals(decodeRaw(held, 1, end), wanted.join(""));
    }),
    RUNS,
  );
});

Deno.test("measureRaw() takes a surrogate for one character unless its other half follows", () => {
  for (
    const [raw, chars] of [
      ["\\ud83d\\ude00", 1],
      ["\\uD83D\\uDE00", 1],
      ["\\ud83d", 1],
      ["\\ude00\\ud83d", 2],
      ["\\ud83d\\ud83d\\ude00", 2],
      ["\\ud83dx", 2],
      ["\\ud83d\\n", 2],
      ["\\\\ud83d", 6],
      ["😀\\ud83d\\ude00é", 3],
    ] as const
  ) {
    const held = rawTextOf(`"${raw}"`);
    const end = held.text.length - 1;
    assertEquals(measureRaw(held, 1, end).chars, chars, raw);
    assertEquals(measureRaw(held, 1, end, chars), { chars, end }, raw);
    assertEquals([...String(JSON.parse(`"${raw}"`))].length, chars, raw);
  }
});

Deno.test("decodeRaw() is empty where a stretch is no JSON", () => {
  const held = rawTextOf('"a\\u00"');
  assertEquals(decodeRaw(held, 1, held.text.length - 1), "");
  assertEquals(decodeRaw(held, 1, 2), "a");
});

Deno.test("escapeRaw() is undone by decodeRaw()", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const held = rawTextOf(`"${escapeRaw(text)}"`);
      assertEquals(decodeRaw(held, 1, held.text.length - 1), text);
    }),
    RUNS,
  );
});

Deno.test("rawTextOf() has one character for every byte", () => {
  const { text, bytes } = rawTextOf("é😀");
  assertEquals([...text].map((sign) => sign.charCodeAt(0)), [...bytes]);
  assertEquals(escaped("é😀\n", () => true), "\\u00e9\\ud83d\\ude00\\u000a");
});
