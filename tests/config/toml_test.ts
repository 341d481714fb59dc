import { assertEquals, assertThrows } from "@std/assert";
import { parse, stringify } from "@std/toml";
import fc from "fast-check";
import { parseToml } from "../../src/config/toml.ts";

const RUNS = { numRuns: 2_000, seed: 20_261_122 };

function byReader(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

Deno.test("parseToml() reads tables, numbers, booleans, strings and lists", () => {
  const text = [
    "# a comment",
    "top = 1_000 # behind",
    "",
    "[context]",
    "warn_threshold = 50",
    "trim_target_tools = [\"Read\", 'Bash', # two",
    '  "Grep",',
    "]",
    "[ live ]\t",
    "enabled = true",
    "share = 0.5",
  ].join("\r\n");
  const expected = {
    top: 1000,
    context: { warn_threshold: 50, trim_target_tools: ["Read", "Bash", "Grep"] },
    live: { enabled: true, share: 0.5 },
  };
  assertEquals(parseToml(text), expected);
  assertEquals(parse(text), expected);
});

Deno.test("parseToml() reads strings, keys and tables in each of their spellings", () => {
  const text = [
    "a.b = 1",
    "'a'.\"c\\u0061\" = 0x1F",
    'text = "a\\tb\\\\\\"\\u00e9"',
    'lines = """',
    "one \\",
    '   two""""',
    "raw = '''",
    "C:\\one'''",
    "inline = { a = 1, b.c = [true] }",
    '["quoted table".x]',
    "bits = 0b11",
  ].join("\n");
  const expected = {
    a: { b: 1, ca: 31 },
    text: 'a\tb\\"\u00e9',
    lines: 'one two"',
    raw: "C:\\one",
    inline: { a: 1, b: { c: [true] } },
    "quoted table": { x: { bits: 3 } },
  };
  assertEquals(parseToml(text), expected);
  assertEquals(parse(text), expected);
  assertEquals(parseToml('a = "\\U0001F600"'), { a: "\u{1f600}" });
});

Deno.test("parseToml() rejects text that it cannot read and names the line", () => {
  const lines = [
    "[[a]]",
    "a = 2026-11-22",
    "a = 01",
    "a = inf",
    "a = -0",
    "a = 1 b",
    "a =",
    "a = [1 2]",
    "a = [1 ; 2]",
    "a = yes",
    "a = {b = 1,}",
    "a = {b = 1",
    'a = "\\x"',
    'a = "\\ud800"',
    'a = """b',
    "[a",
    "[]",
    "__proto__ = 1",
    "a = 1\rb = 2",
    `a = ${"[".repeat(10)}${"]".repeat(10)}`,
  ];
  for (const line of lines) {
    assertThrows(() => parseToml(`x = 1\n${line}\n`), SyntaxError, "line 2: expected ", line);
  }
  const texts = [
    "a = 1\na = 2",
    "[a]\n[a]",
    "a = 1\n[a]",
    "a.b = 1\n[a]",
    "a.b = 1\n[a.c]",
    "a = {}\n[a.b]",
    "[a.b]\n[a]\nb = 1",
    "[a.b.c]\n[a]\nb.d = 1",
    "[a]\nb = 1\n[a.b]",
  ];
  for (const text of texts) assertThrows(() => parseToml(text), SyntaxError, "line ", text);
});

const NAME = fc.constantFrom("context", "live", "warn_threshold", "a", "b-c", "1");
const SCALAR = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 8 }),
);
const TABLE = fc.dictionary(NAME, fc.oneof(SCALAR, fc.array(fc.string({ maxLength: 5 }))));

Deno.test("parseToml() agrees with the library on text that the library wrote, or gives up", () => {
  fc.assert(
    fc.property(fc.dictionary(NAME, TABLE), (tables) => {
      const text = stringify(tables);
      const simple = byReader(text);
      if (simple !== null) assertEquals(simple, parse(text));
    }),
    RUNS,
  );
});

Deno.test("parseToml() never reads text that the library refuses or reads differently", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."[ ] = , . # \" ' \\ \t _ - + 0 1 07 1.5 1e3 true false a b context ".split(" "),
      "\n",
      "\n",
      "\r\n",
      " ",
      "a = 1\n",
      "[a]\n",
      "[a.b]\n",
      'b = "x"\n',
      "c = [1, 2]\n",
      '"""',
      "'''",
      "a.b = 1\n",
      "{ a = 1 }",
      "{",
      "}",
      "\\n",
      "\\u00e9",
      "0x1f",
    ),
    fc.string({ maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const simple = byReader(text);
      if (simple !== null) assertEquals(simple, parse(text), text);
    }),
    { ...RUNS, numRuns: 20_000 },
  );
});

Deno.test("parseToml() accepts lists eight deep and every character escape", () => {
  const nested = (depth: number): string => `a = ${"[".repeat(depth)}1${"]".repeat(depth)}`;
  parseToml(nested(8));
  assertThrows(() => parseToml(nested(9)), SyntaxError, "at most 8 nested lists");
  const read = (escape: string): unknown => parseToml(`a = "\\${escape}"`)["a"];
  for (const point of [0xd7ff, 0xe000, 0x10ffff]) {
    const escape = `U${point.toString(16).padStart(8, "0")}`;
    assertEquals(read(escape), String.fromCodePoint(point));
  }
  for (const escape of ["uD800", "uDFFF", "U00110000"]) {
    assertThrows(() => read(escape), SyntaxError);
  }
});
