import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  addItem,
  parseSettingsText,
  removeItem,
} from "../../../src/doctor/install/settings_text.ts";

/** Layouts that an entry is put into, and what comes of it. */
const LAYOUTS: readonly (readonly [what: string, before: string, after: string])[] = [
  ["lines", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "x": [\n    1\n  ]\n}\n'],
  ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"x": [\n\t\t1\n\t]\n}'],
  ["carriage returns", '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "x": [\r\n    1\r\n  ]\r\n}'],
  ["one line", '{ "a": 1 }', '{ "a": 1, "x": [1] }'],
  ["no space at all", '{"a":1}', '{"a":1,"x":[1]}'],
  [
    "a comment behind the last value",
    '{\n  "a": 1 // a, b\n}',
    '{\n  "a": 1, // a, b\n  "x": [\n    1\n  ]\n}',
  ],
  [
    "a trailing comma and a comment",
    '{\n  "a": 1, /* c */\n  // d\n}',
    '{\n  "a": 1, /* c */\n  // d\n  "x": [\n    1\n  ],\n}',
  ],
  ["nothing", "{}", '{\n  "x": [\n    1\n  ]\n}'],
];

for (const [what, before, after] of LAYOUTS) {
  Deno.test(`addItem() and removeItem() are each other's reverse with ${what}`, () => {
    assertEquals(addItem(before, [], { name: "x", value: [1] }), after);
    assertEquals(removeItem(after, ["x"]), before);
  });
}

Deno.test("removeItem() takes one of several, wherever it stands", () => {
  const text = '{"a": [1, /* two */ 2, 3]}';
  assertEquals(removeItem(text, ["a", 0]), '{"a": [ /* two */ 2, 3]}');
  assertEquals(removeItem(text, ["a", 1]), '{"a": [1, /* two */ 3]}');
  assertEquals(removeItem(text, ["a", 2]), '{"a": [1, /* two */ 2]}');
});

Deno.test("removeItem() lets no comment swallow what follows", () => {
  const text = '{\n  "a": 1, // one\n  "b": 2, "c": 3\n}';
  const removed = removeItem(text, ["b"]);
  assertEquals(removed, '{\n  "a": 1, // one\n   "c": 3\n}');
  assertEquals(parseSettingsText(removed).children?.length, 2);
});

Deno.test("addItem() and removeItem() throw where there is nothing", () => {
  assertThrows(() => addItem("{}", ["hooks"], { value: 1 }), RangeError, "not an object or array");
  assertThrows(() => removeItem("{}", ["hooks"]), RangeError, "it does not exist");
});

Deno.test("parseSettingsText() says where and what is wrong", () => {
  const wrong = [
    ["", SyntaxError, "value expected at line 1, column 1"],
    ["[]", TypeError, "expected an object at line 1, column 1, is array"],
    ['{\n  "a": 1\n  "b": 2\n}', SyntaxError, "comma expected at line 3, column 3"],
    ['{"a": 1} x', SyntaxError, "line 1, column 10"],
    ['{"a": "\n"}', SyntaxError, "line 1, column 7"],
  ] as const;
  for (const [text, type, words] of wrong) {
    assertThrows(() => parseSettingsText(text), type, words);
  }
});

Deno.test("removeItem() undoes addItem() in any object of any layout (seed 20260301)", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const objects = fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1, maxKeys: 6 });
  const indents = fc.constantFrom(undefined, 1, 2, 4, "\t");
  const property = fc.property(objects, indents, value, (object, indent, added) => {
    const name = `x${Object.keys(object).length}-new`;
    fc.pre(!Object.hasOwn(object, name) && !Object.hasOwn(object, "__proto__"));
    const before = JSON.stringify(object, null, indent);
    const after = addItem(before, [], { name, value: added });
    assertEquals(JSON.parse(after), JSON.parse(JSON.stringify({ ...object, [name]: added })));
    assertEquals(removeItem(after, [name]), before);
  });
  fc.assert(property, { numRuns: 300, seed: 20260301 });
});

Deno.test("parseSettingsText() refuses what is nested too deeply to be settings", () => {
  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  assertThrows(() => parseSettingsText(deep), SyntaxError, "nested too deeply");
});
