import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { digestOf, type DigestOptions, GAP, NAMES_LEAD } from "../../src/core/digest.ts";
import { namesIn } from "../../src/core/names.ts";

const SIZES = { head: 5, definitions: 0, names: 60 };

function digest(
  lines: readonly string[],
  sizes: Partial<typeof SIZES> = {},
  options: Partial<DigestOptions> = {},
): string[] {
  const all = { sizes: { ...SIZES, ...sizes }, listed: new Set<string>(), ...options };
  return digestOf(lines.join("\n"), all).split("\n");
}

Deno.test("digestOf() keeps the head, definitions and passages in their order, and lists other names", () => {
  const lines = [
    "     1\timport { a } from 'b';",
    "     2\t",
    "     3\texport function openStore(path) {",
    "     4\t  const index = 1;",
    "     5\t  checkIndex(index);",
    "     6\t  return wantedName(index);",
    "     7\t}",
    "     8\tcloseAllStores();",
  ];
  const options = { wanted: new Map([["wantedName", 1]]), nearLines: 1 };
  assertEquals(digest(lines, { definitions: 40 }, options), [
    ...[...lines.slice(0, 1), GAP, ...lines.slice(2, 3), GAP, ...lines.slice(4, 7), GAP],
    `${NAMES_LEAD}closeAllStores`,
  ]);
});

Deno.test("digestOf() omits names that are in `listed`, and adds each name that it lists to `listed`", () => {
  const options = { listed: new Set(["knownName"]) };
  const lines = ["start", "knownName otherName", ""];
  assertEquals(digest(lines, {}, options), ["start", GAP, `${NAMES_LEAD}otherName`]);
  assertEquals(digest(lines, {}, options), ["start", GAP]);
  const cutOff = [`${"word ".repeat(60)}knownName thirdName`];
  const wanted = new Map([["knownName", 1]]);
  const expected = ["word ", GAP, `${NAMES_LEAD}thirdName`];
  assertEquals(digest(cutOff, {}, { ...options, wanted }), expected);
});

Deno.test("digestOf() cuts a single long line at the end of a word", () => {
  const text = "averyLongIdentifier ".repeat(100) + "otherName12";
  const kept = ["averyLongIdentifier ", GAP, `${NAMES_LEAD}otherName12`];
  assertEquals(digest([text], { head: 30 }), kept);
});

Deno.test("digestOf() keeps the last line of an output if that line is short", () => {
  const lines = ["run", ...Array<string>(50).fill("noise"), "3 tests failed", ""];
  assertEquals(digest(lines, {}, { maxLastLineChars: 100 }), ["run", GAP, "3 tests failed", GAP]);
});

Deno.test("digestOf() prefers errors to definitions, and omits tests that passed", () => {
  const failure = ["--- FAIL: TestRewind (0.04s)", "    rewind_test.go:88: want 3 files, got 2"];
  const end = ["FAIL", "exit status 1"];
  const lines = [
    "=== RUN all",
    "--- PASS: TestNumberOne (0.00s)",
    "const definedName = 1;",
    ...failure,
    "otherName12 is said",
    ...end,
  ];
  const options = { maxLastLineChars: 100, errorChars: 80 };
  const kept = ["=== RUN all", GAP, ...failure, GAP, ...end];
  const names = `${NAMES_LEAD}definedName, otherName12`;
  assertEquals(digest(lines, { head: 12, definitions: 80 }, options), [...kept, names]);
  const passed = ["=== RUN all", "--- PASS: TestNumberOne (0.00s)"];
  assertEquals(digest(passed), ["=== RUN all", GAP, `${NAMES_LEAD}TestNumberOne`]);
});

Deno.test("digestOf() keeps only as many definitions and errors as there is room for", () => {
  const [first, third] = ["const firstName = 1;", "const thirdName = 3;"];
  const lines = ["start", first, `const secondName = "${"x".repeat(60)}";`, third];
  assertEquals(digest(lines, { definitions: 50, names: 0 }), ["start", first, GAP, third]);
  const errors = Array.from({ length: 40 }, (_, n) => `line ${n}\nError: number ${n} is wrong`);
  for (const errorChars of [0, 30, 100, 400]) {
    const kept = digest(errors, {}, { errorChars }).filter((line) => line.startsWith("Error:"));
    assert(kept.join("").length <= errorChars, kept.join("\n"));
    assertEquals(kept.length > 0, errorChars > 0);
  }
});

Deno.test("digestOf() does not split names, and shortens no line except the first", () => {
  const words = ["openStore", "read_index", "x", "function ", "{", "MAX_ITEMS_2", "é😀"];
  const word = fc.constantFrom(...words);
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(40), (lines, head) => {
      const [first = "", ...others] = digest(lines, { head, definitions: 100 });
      const kept = [first, ...others].join("\n");
      assert(namesIn(kept).isSubsetOf(namesIn(lines.join("\n"))), kept);
      assert(kept.isWellFormed());
      for (const one of others) {
        assert(one === GAP || one.startsWith(NAMES_LEAD) || lines.includes(one), one);
      }
    }),
    { numRuns: 500, seed: 20261122 },
  );
});

Deno.test("digestOf() keeps parts that exactly reach a limit", () => {
  const definition = "const firstName = 1;";
  const second = "const thirdName = 3;";
  const long = (chars: number): string => `const longName = "${"-".repeat(chars - 20)}";`;
  const error = "Error: number 1 is wrong";
  const other = "Error: number 2 is wrong";
  const name = `read_${"n".repeat(59)}`;
  const cases: readonly [
    lines: string[],
    sizes: Partial<typeof SIZES>,
    options: Partial<DigestOptions>,
    ...kept: string[],
  ][] = [
    [["start", definition], { definitions: 20 }, {}, definition],
    [["start", definition], { definitions: 19 }, {}, GAP],
    [["start", long(200)], { definitions: 300 }, {}, long(200)],
    [["start", long(201)], { definitions: 300 }, {}, GAP],
    [["start", "let name"], { definitions: 300 }, {}, "let name"],
    [["start", "let nam"], { definitions: 300 }, {}, GAP],
    [["start", definition, second], { head: 26, definitions: 20 }, {}, definition, second],
    [["start", "last one"], {}, { maxLastLineChars: 8 }, "last one"],
    [["start", "last one"], {}, { maxLastLineChars: 7 }, GAP],
    [["start", "in", error], {}, { errorChars: 24 }, GAP, error],
    [["start", "in", error], {}, { errorChars: 23 }, GAP],
    [["start", error, "in", other], { head: 30 }, { errorChars: 24 }, error, GAP, other],
    [["start", "next", "rest"], { head: 10 }, {}, "next", GAP],
    [["start", "next", "rest"], { head: 9 }, {}, GAP],
    [["start", name], { names: 66 }, {}, GAP, NAMES_LEAD + name],
    [["start", name], { names: 65 }, {}, GAP],
    [["start", `${name}n`], { names: 90 }, {}, GAP],
  ];
  for (const [lines, sizes, options, ...kept] of cases) {
    const found = digest(lines, { names: 0, ...sizes }, options);
    assertEquals(found, ["start", ...kept], JSON.stringify([lines, sizes, options]));
  }
  const line = `readIndexNow ${"-".repeat(187)}`;
  assertEquals([digest([line]), digest([`${line}-`]), digest(["readIndexNow"])], [
    [line],
    ["", GAP, `${NAMES_LEAD}readIndexNow`],
    ["readIndexNow"],
  ]);
});
