import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { memberAt, skipSpace, skipString, skipValue } from "../../src/transcript/json_scan.ts";

const RUN = { numRuns: 200, seed: 20_261_122 };

/** Text as its UTF-8 bytes, one character a byte. */
function latin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

Deno.test("skipSpace() passes over JSON's white space and a byte order mark, and nothing else", () => {
  assertEquals(skipSpace(" \t\r\n{", 0, 5), 4);
  assertEquals(skipSpace("\ufeff {", 0, 3), 2);
  assertEquals(skipSpace("\u00ef\u00bb\u00bf{", 0, 4), 3);
  assertEquals(skipSpace("\u00ef\u00bb{", 0, 3), 0);
  assertEquals(skipSpace("\u00a0{", 0, 2), 0);
  assertEquals(skipSpace("\f{", 0, 2), 0);
});

Deno.test("skipSpace() stops where the text ends", () => {
  assertEquals(skipSpace("    {", 1, 3), 3);
  assertEquals(skipSpace("", 0, 0), 0);
});

Deno.test("skipString() ends at the first quote that is not escaped", () => {
  for (
    const string of ['""', '"a"', '"\\""', '"\\\\"', '"\\\\\\""', '"a\\nb\\u0022"', '"{[,:]}"']
  ) {
    assertEquals(skipString(`x${string},"y"`, 1, string.length + 5), string.length + 1);
  }
});

Deno.test("skipString() answers -1 where no quote closes the string before the end", () => {
  assertEquals(skipString('"abc', 0, 4), -1);
  assertEquals(skipString('"abc\\"', 0, 6), -1);
  assertEquals(skipString('"abc"', 0, 4), -1);
  assertEquals(skipString('"', 0, 1), -1);
});

Deno.test("skipValue() finds the end of every kind of value, compact or spaced", () => {
  for (
    const value of [
      "true",
      "null",
      "-1.5e+3",
      '"a,b"',
      "[]",
      "{}",
      '[1,[2,{"a":"]"}]]',
      '{ "a" : [ 1 , "}" ] }',
      '{"a":{"b":{"c":[[[]]]}}}',
    ]
  ) {
    for (const behind of ["", ",", "}", "]", " ", "\n"]) {
      assertEquals(skipValue(value + behind, 0, value.length + behind.length), value.length, value);
    }
  }
});

Deno.test("skipValue() answers -1 where the value is missing or does not end", () => {
  for (const text of ["", ",", "}", " ", '"a', "[1,2", '{"a":{}', '{"a":"b', '["\\"]']) {
    assertEquals(skipValue(text, 0, text.length), -1, text);
  }
  assertEquals(skipValue("[1,2]", 0, 4), -1);
});

Deno.test("skipValue() does not run out of stack on deep nesting", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assertEquals(skipValue(deep, 0, deep.length), 400_000);
});

Deno.test("memberAt() breaks off in a broken object, and at the end that it is given", () => {
  const broken = ["{", '{"a', '{"a"', '{"a":1 "b":2}', '{"a":1]', '{"a" 1}', "{a:1}", '{,"b":1}'];
  for (const text of broken) assertEquals(memberAt(text, 0, text.length, "b"), -1, text);
  assertEquals(memberAt('{"a":1,"b":2}', 0, 8, "b"), -1);
  assertEquals(memberAt('{"a":1}{"b":2}', 0, 14, "b"), -1);
});

Deno.test("memberAt() finds in any object what JSON.parse finds, decoded or as Latin-1", () => {
  const object = fc.dictionary(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 6 },
  );
  const decoder = new TextDecoder();
  fc.assert(
    fc.property(object, fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      for (const [key, member] of Object.entries(value)) {
        const written = JSON.stringify(key).slice(1, -1);
        const at = memberAt(text, 0, text.length, written);
        assertEquals(JSON.parse(text.slice(at, skipValue(text, at, text.length))), member);
        const raw = latin1(text);
        const place = memberAt(raw, 0, raw.length, latin1(written));
        const part = raw.slice(place, skipValue(raw, place, raw.length));
        const plain = decoder.decode(Uint8Array.from(part, (char) => char.charCodeAt(0)));
        assertEquals(JSON.parse(plain), member);
      }
    }),
    RUN,
  );
});

Deno.test("memberAt() finds the value that a parser reads, of two the last", () => {
  for (
    const text of ['{"a":{"b":1},"b":2}', '{"b":1,"c":[2],"b":"3"}', ' {"b" : null , "b":{}} ']
  ) {
    const open = text.indexOf("{");
    const at = memberAt(text, open, text.length, "b");
    const found: unknown = JSON.parse(text.slice(at, skipValue(text, at, text.length)));
    assertEquals(found, JSON.parse(text).b, text);
    assertEquals(memberAt(text, open, text.length, "d"), -1);
  }
  assertEquals(memberAt('["b",1]', 0, 7, "b"), -1);
});
