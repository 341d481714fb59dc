import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type FrontMatterValue,
  readFrontMatter,
  writeFrontMatter,
} from "../../src/saved/checkpoint/front_matter.ts";
import "../own_config.ts";

const RUNS = { numRuns: 500, seed: 20260302 };
const TEXT_FIELDS = ["created", "trigger", "session_id", "project", "parent"];

Deno.test("writeFrontMatter() and readFrontMatter() agree on any values and any body", () => {
  const anyName = fc.stringMatching(/^[a-z_][a-z_0-9]{0,8}$/);
  const anyValue: fc.Arbitrary<FrontMatterValue> = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "a\n---\nb: 1",
      '"',
      "'",
      "#x",
      " # y",
      "\u2028---\u2029",
      "\ufeff",
      "...",
      "~",
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n === 0 ? 0 : n),
    fc.boolean(),
    fc.constant(null),
  );
  const anyFields = fc.uniqueArray(fc.tuple(anyName, anyValue), {
    selector: ([name]) => name,
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyFields, fc.string({ unit: "binary" }), (fields, body) => {
      const text = writeFrontMatter(fields);
      const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
      assertEquals(lines.length, fields.length + 3);
      assertEquals([lines[0], lines.at(-2), lines.at(-1)], ["---", "---", ""]);
      for (const whole of [text + body, `\ufeff${text}${body}`]) {
        const read = readFrontMatter(whole);
        assertEquals({ ...read, fields: [...read.fields] }, { found: true, fields, body });
      }
      const crlf = readFrontMatter(text.replaceAll("\n", "\r\n"));
      assertEquals([...crlf.fields], fields);
    }),
    RUNS,
  );
});

Deno.test("readFrontMatter() reads what a person writes", () => {
  const text = [
    "---",
    "# a comment",
    "created: 2025-12-20T14:30:22Z",
    "trigger: auto # why not",
    "session_id: 12345678",
    "project: /path/to/my #1 project",
    "iteration: 3",
    "verified: true   # yes",
    "parent: ~",
    "unknown: [1, 2]",
    "nested:",
    "  key: value",
    "  - item",
    "single: 'it''s' # so",
    'double: "a\\tb" # so',
    'broken: "a\\xb"',
    "iteration: 9",
    "not a field",
    "...",
    "body",
  ].join("\n");
  const { found, fields, body } = readFrontMatter(text, { textFields: TEXT_FIELDS });
  assert(found);
  assertEquals(Object.fromEntries(fields), {
    created: "2025-12-20T14:30:22Z",
    trigger: "auto",
    session_id: "12345678",
    project: "/path/to/my",
    iteration: 3,
    verified: true,
    parent: null,
    nested: null,
    single: "it's",
    double: "a\tb",
    broken: "a\\xb",
  });
  assertEquals(body, "body");
});

Deno.test("readFrontMatter() finds none where there is none or where it does not end", () => {
  const texts = [
    "",
    "\n---\na: 1\n---\n",
    "# a\n---\n---\n",
    "---",
    "---\na: 1",
    "--- \nb",
    "----\n----\n",
  ];
  for (const text of texts) {
    const read = readFrontMatter(text);
    assertEquals({ ...read, fields: read.fields.size }, { found: false, fields: 0, body: text });
  }
});

Deno.test("readFrontMatter() never throws and reads no further than its bounds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assertEquals(typeof readFrontMatter(`---\n${text}`).body, "string");
      assertEquals(typeof readFrontMatter(`---\na: ${text}\n---\n`).found, "boolean");
    }),
    RUNS,
  );
  for (const filler of ["a: 1\n", "x", '"\\', "'"]) {
    const text = `---\na: ${filler.repeat(100_000)}\n---\n`;
    assertEquals(readFrontMatter(text).found, false);
  }
});

Deno.test("writeFrontMatter() refuses a name that could be more than a name", () => {
  for (const name of ["", "a b", "a:", "a\nb", "-", "1", "---"]) {
    assertThrows(() => writeFrontMatter([[name, 1]]), RangeError, "is no name");
  }
  assertEquals(writeFrontMatter([["a", NaN], ["b", Infinity]]), "---\na: null\nb: null\n---\n");
});
