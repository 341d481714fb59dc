import { assertEquals, assertThrows } from "@std/assert";
import { parse, stringify } from "@std/toml";
import fc from "fast-check";
import { parseSimpleToml } from "../../src/config/simple_toml.ts";

const RUNS = { numRuns: 2_000, seed: 20_261_122 };

function bySimple(text: string): unknown {
  try {
    return parseSimpleToml(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

Deno.test("parseSimpleToml() reads tables, numbers, switches, texts and lists", () => {
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
  assertEquals(parseSimpleToml(text), expected);
  assertEquals(parse(text), expected);
});

Deno.test("parseSimpleToml() refuses what it does not understand and says the line", () => {
  const lines = [
    'a = "b\\n"',
    'a = """b"""',
    "a = '''b'''",
    "a = {b = 1}",
    "a.b = 1",
    '"a" = 1',
    "[[a]]",
    "a = 2026-11-22",
    "a = 0x10",
    "a = 01",
    "a = inf",
    "a = -0",
    "a = 1 b",
    "a =",
    "a = [1 2]",
    "a = [1",
    "a = yes",
    "[a",
    "[]",
    "__proto__ = 1",
    "a = 1\rb = 2",
    `a = ${"[".repeat(10)}${"]".repeat(10)}`,
  ];
  for (const line of lines) {
    assertThrows(() => parseSimpleToml(`x = 1\n${line}\n`), SyntaxError, "line ", line);
  }
  assertThrows(
    () => parseSimpleToml("x = 1\na = 1979-05-27\n"),
    SyntaxError,
    "line 2 is too complex",
  );
  for (
    const text of ["a = 1\na = 2", "[a]\n[a]", "a = 1\n[a]", "[a.b]\n[a]\nb = 1", "[a]\nb=1\n[a.b]"]
  ) {
    assertThrows(() => parseSimpleToml(text), SyntaxError);
  }
});

const NAME = fc.constantFrom("context", "live", "warn_threshold", "a", "b-c", "1");
const SCALAR = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 8 }),
);
const TABLE = fc.dictionary(NAME, fc.oneof(SCALAR, fc.array(fc.string({ maxLength: 5 }))));

Deno.test("parseSimpleToml() says of what a library wrote what the library says, or nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(NAME, TABLE), (tables) => {
      const text = stringify(tables);
      const simple = bySimple(text);
      if (simple !== null) assertEquals(simple, parse(text));
    }),
    RUNS,
  );
});

Deno.test("parseSimpleToml() never reads what the library reads otherwise or refuses", () => {
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
    ),
    fc.string({ maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const simple = bySimple(text);
      if (simple !== null) assertEquals(simple, parse(text), text);
    }),
    { ...RUNS, numRuns: 20_000 },
  );
});
