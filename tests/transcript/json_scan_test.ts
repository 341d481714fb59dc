import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { memberAt, skipSpace, skipValue } from "../../src/transcript/json_scan.ts";
import { anyCharacters } from "../any_characters.ts";

const RUN = { numRuns: 200, seed: 20_261_122 };

/** Encodes text as UTF-8, with one character per byte. */
function latin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function valueAt(text: string, start: number): unknown {
  const part = text.slice(start, skipValue(text, start, text.length));
  const bytes = Uint8Array.from(part, (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

Deno.test("skipSpace() skips only JSON's white space and a byte order mark", () => {
  for (const text of [" \t\r\n", "\ufeff ", "\u00ef\u00bb\u00bf", ""]) {
    assertEquals(skipSpace(`${text}{`, 0, text.length + 1), text.length);
  }
  for (const text of ["\u00ef\u00bb{", "\u00a0{", "\f{", ""]) {
    assertEquals(skipSpace(text, 0, text.length), 0);
  }
  assertEquals(skipSpace("    {", 1, 3), 3);
});

Deno.test("skipValue() finds the end of any value, and returns -1 for an incomplete value", () => {
  const property = fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
    const text = JSON.stringify(value, null, indent);
    for (const suffix of ["", ",", "}", "]", " ", "\n"]) {
      assertEquals(skipValue(text + suffix, 0, text.length + suffix.length), text.length);
    }
    const isOpen = /^[[{"]/.test(text);
    if (isOpen) assertEquals(skipValue(text, 0, text.length - 1), -1);
  });
  fc.assert(property, RUN);
  for (const text of ["", ",", "}", " ", '"a', '"abc\\"', "[1,2", '{"a":"b', '["\\"]']) {
    assertEquals(skipValue(text, 0, text.length), -1, text);
  }
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assertEquals(skipValue(deep, 0, deep.length), 400_000);
});

Deno.test("memberAt() finds the same value as JSON.parse in UTF-8 bytes that are decoded as Latin-1", () => {
  const name = anyCharacters({ maxLength: 8 });
  const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
  const property = fc.property(object, fc.constantFrom(0, 1, "\t"), (value, indent) => {
    const text = latin1(JSON.stringify(value, null, indent));
    for (const [key, member] of Object.entries(value)) {
      const written = latin1(JSON.stringify(key).slice(1, -1));
      assertEquals(valueAt(text, memberAt(text, 0, text.length, written)), member);
    }
  });
  fc.assert(property, RUN);
});

Deno.test("memberAt() finds the last of two members with the same name, and none in broken JSON", () => {
  const texts = ['{"a":{"b":1},"b":2}', '{"b":1,"c":[2],"b":"3"}', ' {"b" : null , "b":{}} '];
  for (const text of texts) {
    const open = text.indexOf("{");
    assertEquals(valueAt(text, memberAt(text, open, text.length, "b")), JSON.parse(text).b, text);
    assertEquals(memberAt(text, open, text.length, "d"), -1);
  }
  const broken = ["{", '{"a', '{"a"', '{"a":1 "b":2}', '{"a":1]', '{"a" 1}', "{a:1}", '{,"b":1}'];
  for (const text of [...broken, '{"a":1}{"b":2}', '["b",1]']) {
    assertEquals(memberAt(text, 0, text.length, "b"), -1, text);
  }
  assertEquals(memberAt('{"a":1,"b":2}', 0, 8, "b"), -1);
});
