import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { digestOf, GAP, NAMES_LEAD } from "../../src/core/digest.ts";
import { namesIn } from "../../src/core/names.ts";

const SIZES = { head: 20, definitions: 100, names: 60 };

Deno.test("digestOf() keeps the head, definitions and passages in their order, and lists other names", () => {
  const text = [
    "     1\timport { a } from 'b';",
    "     2\t",
    "     3\texport function openStore(path) {",
    "     4\t  const index = 1;",
    "     5\t  checkIndex(index);",
    "     6\t  return wantedName(index);",
    "     7\t}",
    "     8\tcloseAllStores();",
  ].join("\n");
  const wanted = new Map([["wantedName", 1]]);
  assertEquals(
    digestOf(text, {
      sizes: { ...SIZES, definitions: 40 },
      listed: new Set(),
      wanted,
      nearLines: 1,
    }),
    [
      "     1\timport { a } from 'b';",
      GAP,
      "     3\texport function openStore(path) {",
      GAP,
      "     5\t  checkIndex(index);",
      "     6\t  return wantedName(index);",
      "     7\t}",
      GAP,
      `${NAMES_LEAD}closeAllStores`,
    ].join("\n"),
  );
});

Deno.test("digestOf() lists a name once over several texts, and not if it was listed before", () => {
  const listed = new Set(["knownName"]);
  const options = { sizes: { head: 5, definitions: 0, names: 60 }, listed };
  assertEquals(
    digestOf("start\nknownName otherName\n", options),
    `start\n${GAP}\n${NAMES_LEAD}otherName`,
  );
  assertEquals(digestOf("start\nknownName otherName\n", options), `start\n${GAP}`);
});

Deno.test("digestOf() does not repeat a listed name that is wanted but cut off", () => {
  const text = `${"word ".repeat(60)}knownName otherName`;
  const wanted = new Map([["knownName", 1]]);
  const listed = new Set(["knownName"]);
  assertEquals(
    digestOf(text, { sizes: { head: 5, definitions: 0, names: 60 }, listed, wanted }),
    `word \n${GAP}\n${NAMES_LEAD}otherName`,
  );
});

Deno.test("digestOf() cuts a single long line where a word ends", () => {
  const text = "averyLongIdentifier ".repeat(100) + "otherName12";
  const digest = digestOf(text, { sizes: { ...SIZES, head: 30 }, listed: new Set() });
  assertEquals(digest, `averyLongIdentifier \n${GAP}\n${NAMES_LEAD}otherName12`);
});

Deno.test("digestOf() keeps the last line of an output if it states the outcome", () => {
  const text = `run\n${"noise\n".repeat(50)}3 tests failed\n`;
  const options = { sizes: { head: 3, definitions: 0, names: 0 }, listed: new Set<string>() };
  assertEquals(
    digestOf(text, { ...options, tailChars: 100 }),
    `run\n${GAP}\n3 tests failed\n${GAP}`,
  );
});

Deno.test("digestOf() keeps errors before definitions, and lists no test that passed", () => {
  const text = [
    "=== RUN all",
    "--- PASS: TestNumberOne (0.00s)",
    "const definedName = 1;",
    "--- FAIL: TestRewind (0.04s)",
    "    rewind_test.go:88: want 3 files, got 2",
    "otherName12 is said",
    "FAIL",
    "exit status 1",
  ].join("\n");
  const options = { sizes: { head: 12, definitions: 80, names: 60 }, listed: new Set<string>() };
  assertEquals(
    digestOf(text, { ...options, tailChars: 100, troubleChars: 80 }),
    [
      "=== RUN all",
      GAP,
      "--- FAIL: TestRewind (0.04s)",
      "    rewind_test.go:88: want 3 files, got 2",
      GAP,
      "FAIL",
      "exit status 1",
      `${NAMES_LEAD}definedName, otherName12`,
    ].join("\n"),
  );
});

Deno.test("digestOf() keeps no more definitions than there is room for", () => {
  const text = [
    "start",
    "const firstName = 1;",
    `const secondName = "${"x".repeat(60)}";`,
    "const thirdName = 3;",
  ].join("\n");
  assertEquals(
    digestOf(text, { sizes: { head: 5, definitions: 50, names: 0 }, listed: new Set() }),
    ["start", "const firstName = 1;", GAP, "const thirdName = 3;"].join("\n"),
  );
});

Deno.test("digestOf() keeps no more errors than there is room for", () => {
  const text = Array.from({ length: 40 }, (_, n) => `line ${n}\nError: number ${n} is wrong`).join(
    "\n",
  );
  for (const troubleChars of [0, 30, 100, 400]) {
    const options = { sizes: { head: 0, definitions: 0, names: 0 }, listed: new Set<string>() };
    const kept = digestOf(text, { ...options, troubleChars }).split("\n")
      .filter((line) => line.startsWith("Error:"));
    assert(kept.join("").length <= troubleChars, kept.join("\n"));
    assertEquals(kept.length > 0, troubleChars > 0);
  }
});

Deno.test("digestOf() splits no name and contains only lines of the text", () => {
  const word = fc.constantFrom(
    "openStore",
    "read_index",
    "x",
    "function ",
    "{",
    "MAX_ITEMS_2",
    "é😀",
  );
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(40), (lines, head) => {
      const text = lines.join("\n");
      const digest = digestOf(text, { sizes: { ...SIZES, head }, listed: new Set() });
      assert(namesIn(digest).isSubsetOf(namesIn(text)), digest);
      assert(digest.isWellFormed());
      for (const one of digest.split("\n").slice(1)) {
        assert(one === GAP || one.startsWith(NAMES_LEAD) || lines.includes(one), one);
      }
    }),
    { numRuns: 500, seed: 20261122 },
  );
});
