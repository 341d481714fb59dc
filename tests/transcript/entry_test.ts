import { assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import { jsonText, parseExactly, readEntries, viewEntry } from "../../src/transcript/entry.ts";

const RUN = { numRuns: 500, seed: 20_261_122 };

const encoder = new TextEncoder();

function typesOf(text: string): (string | undefined)[] {
  return readEntries(encoder.encode(text)).map((entry) => entry.type);
}

const FIELDS = {
  type: "system",
  subtype: "compact_boundary",
  uuid: "u",
  parentUuid: null,
  sessionId: "s",
  isSidechain: true,
  timestamp: "2026-01-01T00:00:00Z",
};

Deno.test("viewEntry() treats a field of the wrong type as absent", () => {
  const absent = { ...viewEntry({}), raw: null };
  for (const wrong of [1, true, [], {}, null, undefined]) {
    const { type, subtype, uuid, sessionId, timestamp } = Object.fromEntries(
      Object.keys(FIELDS).map((name) => [name, wrong]),
    );
    const raw = { type, subtype, uuid, sessionId, timestamp };
    assertEquals({ ...viewEntry(raw), raw: null }, absent);
  }
  assertFalse(viewEntry({ isSidechain: "true" }).isSidechain);
  for (const message of [null, "text", []]) assertEquals(viewEntry({ message }).message, undefined);
  for (const parentUuid of [undefined, 7]) {
    assertEquals(viewEntry({ parentUuid }).parentUuid, undefined);
  }
});

Deno.test("readEntries() reads the entries before a broken part, as the client does", () => {
  const cases: readonly (readonly [text: string, ...types: string[]])[] = [
    [' {"type":"a"}\r', "a"],
    ['\ufeff{"type":"a"}', "a"],
    ['{"type":"a"}{"type":"b"} {"type":"c"}', "a", "b", "c"],
    ['{"type":"a"}\ufeff{"type":"b"}', "a", "b"],
    [""],
    ["  \r"],
    ["\ufeff"],
    ["null"],
    ["[]"],
    ['"a"'],
    ['[{"type":"a"}]'],
    ['{"type":"a"'],
    ['{"type":"a"}{"type":', "a"],
    ['{"type":"a"}{bad}', "a"],
    ['{bad}{"type":"a"}'],
    ['garbage{"type":"a"}'],
    ['{"type":"a"},{"type":"b"}', "a"],
    ['{"type":"a"}{"type":"b"}garbage', "a", "b"],
    ['{"type":"a"}null', "a"],
  ];
  for (const [text, ...types] of cases) assertEquals(typesOf(text), types, text);
  const bytes = new Uint8Array([...encoder.encode('{"type":"'), 0xff, ...encoder.encode('"}')]);
  assertEquals(readEntries(bytes).map((entry) => entry.type), ["\ufffd"]);
});

const OBJECT = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });

Deno.test("readEntries() returns all entries of a line, but no torn entry", () => {
  const gap = fc.constantFrom("", " ", "\t\r");
  const property = fc.property(
    fc.array(OBJECT, { maxLength: 4 }),
    gap,
    fc.nat(),
    (objects, between, cut) => {
      const texts = objects.map((value) => JSON.stringify(value));
      const rawEntries = readEntries(encoder.encode(between + texts.join(between)))
        .map((entry) => entry.raw);
      assertEquals(rawEntries, texts.map((text) => JSON.parse(text)));
      for (const text of texts) {
        const bytes = encoder.encode(text);
        assertEquals(readEntries(bytes.subarray(0, cut % bytes.length)), []);
      }
    },
  );
  fc.assert(property, RUN);
});

Deno.test("parseExactly() keeps every number as it was written, and reads even a deeply nested value", () => {
  const text = '{"a":1.0,"b":[-0,1e400,12345678901234567890,0.1,7],"c":"1.0"}';
  assertEquals(JSON.stringify(parseExactly(text)), text);
  const deep = `{"a":`.repeat(50_000) + "1" + "}".repeat(50_000);
  assertEquals(JSON.stringify(parseExactly(deep)), deep);
});

Deno.test("jsonText() writes values nested thousands of levels deep, or returns an empty string", () => {
  const nested = (inner: string): unknown =>
    JSON.parse('{"a":['.repeat(9000) + inner + "]}".repeat(9000));
  assertEquals(jsonText(nested("1")).length, 9000 * 8 + 1);
  // With an indent or a numeric key, the engine recurses and overflows its stack.
  assertEquals(jsonText(nested("1"), 2), jsonText(nested("1")));
  assertEquals(jsonText(nested('{"0":1}')), "");
  assertEquals(jsonText({ a: 1 }, 2), '{\n  "a": 1\n}');
  assertEquals(jsonText(undefined), "");
});
