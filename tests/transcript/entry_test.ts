import { assert, assertEquals, assertFalse, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import {
  asString,
  isObject,
  jsonText,
  parseObject,
  placeEntries,
  readEntries,
  viewEntry,
} from "../../src/transcript/entry.ts";

const RUN = { numRuns: 500, seed: 20_261_122 };

const encoder = new TextEncoder();

function typesOf(text: string): (string | undefined)[] {
  return readEntries(encoder.encode(text)).map((entry) => entry.type);
}

const NOT_OBJECTS: readonly unknown[] = [null, undefined, [], "{}", 1, true];

Deno.test("isObject() takes objects and nothing else", () => {
  assert(isObject({}));
  for (const value of NOT_OBJECTS) assertFalse(isObject(value));
});

Deno.test("asString() takes strings and nothing else", () => {
  assertEquals(asString(""), "");
  for (const value of [null, undefined, 1, {}, ["a"]]) assertEquals(asString(value), undefined);
});

Deno.test("viewEntry() reads the fields that it knows and keeps the raw object", () => {
  const raw = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "u",
    parentUuid: null,
    sessionId: "s",
    isSidechain: true,
    timestamp: "2026-01-01T00:00:00Z",
    message: { role: "user" },
    somethingNew: { deep: [1] },
  };
  const entry = viewEntry(raw);
  assertStrictEquals(entry.raw, raw);
  assertStrictEquals(entry.message, raw.message);
  const { raw: _raw, message: _message, ...fields } = entry;
  assertEquals(fields, {
    type: "system",
    subtype: "compact_boundary",
    uuid: "u",
    parentUuid: null,
    sessionId: "s",
    isSidechain: true,
    timestamp: "2026-01-01T00:00:00Z",
  });
});

Deno.test("viewEntry() counts a field of another type as absent", () => {
  for (const wrong of [1, true, [], {}, null]) {
    const raw = { type: wrong, subtype: wrong, uuid: wrong, sessionId: wrong, timestamp: wrong };
    assertEquals(viewEntry(raw), {
      raw,
      type: undefined,
      subtype: undefined,
      uuid: undefined,
      parentUuid: undefined,
      sessionId: undefined,
      isSidechain: false,
      timestamp: undefined,
      message: undefined,
    });
  }
  assertFalse(viewEntry({ isSidechain: "true" }).isSidechain);
  for (const message of [null, "text", []]) assertEquals(viewEntry({ message }).message, undefined);
});

Deno.test("viewEntry() tells a root from an entry that names no parent", () => {
  assertEquals(viewEntry({ parentUuid: null }).parentUuid, null);
  assertEquals(viewEntry({}).parentUuid, undefined);
  assertEquals(viewEntry({ parentUuid: 7 }).parentUuid, undefined);
  assertEquals(viewEntry({ parentUuid: "p" }).parentUuid, "p");
});

Deno.test("readEntries() reads a line with spaces, a CR or a byte order mark around it", () => {
  assertEquals(typesOf(' {"type":"user"}\r'), ["user"]);
  assertEquals(typesOf('\ufeff{"type":"user"}'), ["user"]);
});

Deno.test("readEntries() reads objects that stand on one line, also with marks between them", () => {
  assertEquals(typesOf('{"type":"a"}{"type":"b"} {"type":"c"}'), ["a", "b", "c"]);
  assertEquals(typesOf('{"type":"a"}\ufeff{"type":"b"}'), ["a", "b"]);
});

Deno.test("readEntries() finds nothing in a blank line and in other JSON", () => {
  for (const text of ["", "  \r", "\ufeff", "null", "[]", "1", '"a"', '[{"type":"a"}]']) {
    assertEquals(typesOf(text), [], text);
  }
});

Deno.test("readEntries() reads what stands before a break, as the client does", () => {
  for (
    const [text, types] of [
      ['{"type":"a"', []],
      ['{"type":"a"}{"type":', ["a"]],
      ['{"type":"a"}{bad}', ["a"]],
      ['{bad}{"type":"a"}', []],
      ['garbage{"type":"a"}', []],
      ['{"type":"a"},{"type":"b"}', ["a"]],
      ['{"type":"a"}{"type":"b"}garbage', ["a", "b"]],
      ['{"type":"a"}null', ["a"]],
      ['{"type":"a"}]', ["a"]],
    ] as const
  ) {
    assertEquals(typesOf(text), [...types], text);
  }
});

Deno.test("placeEntries() tells where the entries stand in the bytes of the line", () => {
  const text = '{"type":"é"} ﻿{"type":"b"}{torn';
  const bytes = encoder.encode(text);
  const placed = placeEntries(bytes).map(({ entry, start, end }) => [
    entry.type,
    new TextDecoder().decode(bytes.subarray(start, end)),
  ]);
  assertEquals(placed, [["é", '{"type":"é"}'], ["b", '{"type":"b"}']]);
  assertEquals(placeEntries(encoder.encode('{"type":"é"}'))[0]?.end, 13);
});

Deno.test("readEntries() reads an entry whose text is not valid UTF-8", () => {
  const bytes = new Uint8Array([...encoder.encode('{"type":"'), 0xff, ...encoder.encode('"}')]);
  assertEquals(readEntries(bytes).map((entry) => entry.type), ["\ufffd"]);
});

Deno.test("readEntries() gives back what was written, unknown fields too, one line or several", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
  const gap = fc.constantFrom("", " ", "\t\r");
  fc.assert(
    fc.property(fc.array(object, { maxLength: 4 }), gap, (objects, between) => {
      const texts = objects.map((value) => JSON.stringify(value));
      const raws = readEntries(encoder.encode(texts.join(between))).map((entry) => entry.raw);
      assertEquals(raws, texts.map((text) => JSON.parse(text)));
    }),
    RUN,
  );
});

Deno.test("readEntries() finds nothing in a line that is torn", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 3,
  });
  fc.assert(
    fc.property(object, fc.nat(), (value, at) => {
      const bytes = encoder.encode(JSON.stringify(value));
      assertEquals(readEntries(bytes.subarray(0, at % bytes.length)), []);
    }),
    RUN,
  );
});

Deno.test("parseObject() reads one object and nothing else", () => {
  assertEquals(parseObject('{"a":1}'), { a: 1 });
  for (const text of ["", "{", "[]", "null", "1", '{"a":1}{}']) {
    assertEquals(parseObject(text), undefined, text);
  }
});

Deno.test("jsonText() writes what can be written of values nested thousands of levels deep", () => {
  const nested = (inner: string): unknown =>
    JSON.parse('{"a":['.repeat(9000) + inner + "]}".repeat(9000));
  assertEquals(jsonText(nested("1")).length, 9000 * 8 + 1);
  // With indent the engine goes into it by calling itself, and so it does for such keys.
  assertEquals(jsonText(nested("1"), 2), jsonText(nested("1")));
  assertEquals(jsonText(nested('{"0":1}')), "");
  assertEquals(jsonText({ a: 1 }, 2), '{\n  "a": 1\n}');
  assertEquals(jsonText(undefined), "");
});

Deno.test("placeEntries() asks no parser about a line on which no object begins", () => {
  const parse = JSON.parse;
  let count = 0;
  JSON.parse = (...values) => {
    count++;
    return parse(...values);
  };
  try {
    for (const text of ["", " \r\t", "\0\0\0", "null", "x{}", "\uFEFF"]) {
      assertEquals(placeEntries(encoder.encode(text)), []);
    }
    assertEquals(count, 0);
    assertEquals(typesOf('\uFEFF {"type":"a"}'), ["a"]);
  } finally {
    JSON.parse = parse;
  }
});
