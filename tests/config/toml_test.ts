import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/toml";
import fc from "fast-check";
import { parseToml } from "../../src/config/toml.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(20_000, 4_000, "texts that resemble TOML"), seed: 20_261_122 };

function parseOrNull(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

Deno.test("parseToml() reads tables, dotted keys, numbers, booleans, strings and lists", () => {
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
    "[table]",
    "a.b = 1",
    "a . c = -2.5e3",
    'text = "a\\tb\\\\\\"\\u00e9\\uD7FF\\ue000\\u0000\tc"',
    "raw = 'C:\\one'",
    "empty = [\"\", '']",
  ].join("\r\n");
  const expected = {
    top: 1000,
    context: { warn_threshold: 50, trim_target_tools: ["Read", "Bash", "Grep"] },
    live: { enabled: true },
    table: {
      a: { b: 1, c: -2500 },
      text: 'a\tb\\"\u00e9\ud7ff\ue000\0\tc',
      raw: "C:\\one",
      empty: ["", ""],
    },
  };
  assertEquals(parseToml(text), expected);
  assertEquals(parse(text), expected);
});

Deno.test("parseToml() rejects text that it cannot read and reports the line", () => {
  const lines = [
    ...["[[a]]", "a = 2026-11-22", "a = 01", "a = inf", "a = -0", "a = 1 b", "a =", "a = [1 2]"],
    ...["a = [1 ; 2]", "a = yes", "a = {b = 1}", "a = 0x1F", 'a = "\\x"', 'a = "\\ud800"', "[]"],
    ...['a = """b"""', "a = '''b'''", '"a" = 1', "[a.b]", "[a", "a = 1\rb = 2", "a = [[1]]"],
    ...["__proto__ = 1", 'a = "\\uDFFF"', 'a = "\\U0001F600"', 'a = "\\/"', 'a = "\\u12"'],
  ];
  for (const line of lines) {
    assertThrows(() => parseToml(`x = 1\n${line}\n`), SyntaxError, "line 2: expected ", line);
  }
  const texts = [
    ...["a = 1\na = 2", "[a]\n[a]", "a = 1\n[a]", "a.b = 1\n[a]", "a.b = 1\na = 2"],
    ...["a = 1\na.b = 2", "a = []\na.b = 2"],
  ];
  for (const text of texts) assertThrows(() => parseToml(text), SyntaxError, "line ", text);
});

Deno.test("parseToml() never accepts text that @std/toml rejects or reads differently", () => {
  const marks = "[ ] = , . # \" ' \\ \t _ - + 0 1 07 1.5 1e3 true false a b context { }".split(" ");
  const pieces = [
    ...["", "\n", "\n", "\r\n", " ", "a = 1\n", "[a]\n", "[a.b]\n", 'b = "x"\n', "c = [1, 2]\n"],
    ...['"""', "'''", "a.b = 1\n", "{ a = 1 }", "\\n", "\\u00e9", "0x1f"],
  ];
  const piece = fc.oneof(fc.constantFrom(...marks, ...pieces), fc.string({ maxLength: 2 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const simple = parseOrNull(text);
      if (simple !== null) assertEquals(simple, parse(text), text);
    }),
    RUNS,
  );
});
