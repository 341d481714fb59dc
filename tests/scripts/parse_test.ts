import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseArguments, splitArguments } from "../../cli/parse.ts";
import { TRIM_SPEC, UsageError } from "../../cli/spec.ts";

const FUZZ = { numRuns: 2_000, seed: 20261122 };

const SPLITS: readonly (readonly [typed: string, words: string[]])[] = [
  ["  \t \n ", []],
  ["  a  b\tc\nd ", ["a", "b", "c", "d"]],
  ["--threshold 200", ["--threshold", "200"]],
  ["'a b' c", ["a b", "c"]],
  ["a' 'b", ["a b"]],
  [`it"'"s`, ["it's"]],
  [`'say "hi"'`, [`say "hi"`]],
  [`a "" b`, ["a", "", "b"]],
  ["日本 naïve \u{1f600}", ["日本", "naïve", "\u{1f600}"]],
  ["a\u00a0b\u3000c", ["a", "b", "c"]],
  // A shell would interpret each of these.
  ["$HOME ~ *.ts {a,b}", ["$HOME", "~", "*.ts", "{a,b}"]],
  ["; rm -rf x && y", [";", "rm", "-rf", "x", "&&", "y"]],
  ["|| z & > f < g | h", ["||", "z", "&", ">", "f", "<", "g", "|", "h"]],
  ["$(touch x) `touch y` $((1+1))", ["$(touch", "x)", "`touch", "y`", "$((1+1))"]],
  ["a\\ b \\n", ["a\\", "b", "\\n"]],
  ['"C:\\a b\\"', ["C:\\a b\\"]],
  ["!! !x", ["!!", "!x"]],
];

Deno.test("splitArguments() splits at white space outside quotes, without a shell's expansions", () => {
  for (const [typed, expected] of SPLITS) assertEquals(splitArguments(typed), expected, typed);
});

Deno.test("splitArguments() refuses an unterminated quote, and text that is too long", () => {
  for (const typed of [`"`, `'a b`, `--tool "my tool`, `a'b"c`]) {
    assertThrows(() => splitArguments(typed), UsageError, "unterminated");
  }
  assertEquals(splitArguments("x".repeat(10_000)).length, 1);
  assertThrows(() => splitArguments("x".repeat(10_001)), UsageError, "over 10000 characters");
});

Deno.test("splitArguments() returns any quoted words unchanged", () => {
  const word = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("'"));
  const property = fc.property(fc.array(word, { maxLength: 8 }), (given) => {
    assertEquals(splitArguments(given.map((text) => `'${text}'`).join(" ")), given);
  });
  fc.assert(property, FUZZ);
});

type Parsed = ReturnType<typeof parseArguments<typeof TRIM_SPEC.options[number]>>;

const PARSED: readonly (readonly [string, string[], Parsed["options"]])[] = [
  ["", [], {}],
  ["a --json", ["a"], { json: true }],
  ["--json a --json", ["a"], { json: true }],
  ["--threshold 5 --tool=Read --tool Bash", [], { threshold: 5, tool: ["Read", "Bash"] }],
  ["--protect=a=b --protect - --protect=-x", [], { protect: ["a=b", "-", "-x"] }],
  ["-", ["-"], {}],
  ["--dry-run -- --json", ["--json"], { dryRun: true }],
  ["a b c --help", ["a", "b", "c"], { help: true }],
];

Deno.test("parseArguments() reads values after = or in the next word, and - and words after -- as they are", () => {
  for (const [typed, positionals, options] of PARSED) {
    const parsed = parseArguments(TRIM_SPEC, splitArguments(typed));
    assertEquals(parsed, { positionals, options }, typed);
  }
});
