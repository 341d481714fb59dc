/** Arguments typed after `/trim` have the same meaning as for `trimtab trim`, without a shell. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseArguments, splitArguments } from "../../cli/typed.ts";
import { parseCommandLine } from "../../cli/command.ts";
import {
  type Arguments,
  type CommandSpec,
  optionsOf,
  TRIM_SPEC,
  UsageError,
} from "../../cli/spec.ts";
import { SPEC as STATUS_SPEC } from "../../scripts/status.ts";
import "../own_config.ts";

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

async function outcome(
  parse: (spec: CommandSpec, argv: readonly string[]) => Arguments | Promise<Arguments>,
  spec: CommandSpec,
  argv: readonly string[],
): Promise<unknown> {
  try {
    return await parse(spec, argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return "refused";
  }
}

function words(spec: CommandSpec): fc.Arbitrary<string> {
  const names = optionsOf(spec).map(({ name }) => name);
  const values = ["0", "200", "-1", "5", "Read", "", "a b", "=", "x=y", "true", "false", "light"]
    .concat("mask", "**/*.ts");
  const value = fc.constantFrom(...values);
  const name = fc.oneof(fc.constantFrom(...names), fc.constantFrom("nope", "no-json", "t", "_"));
  return fc.oneof(
    name.map((text) => `--${text}`),
    fc.tuple(name, value).map(([text, given]) => `--${text}=${given}`),
    value,
    fc.constantFrom("--", "-", "-h", "-x", "-tv", "-5", "---", "--=", "-json", "-json=1", "0x10"),
    fc.string({ maxLength: 6 }),
  );
}

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

// parseArguments() ignores `exclusive`. TRIM_SPEC has no such field, and STATUS_SPEC is tested without it.
for (const spec of [TRIM_SPEC, { ...STATUS_SPEC, exclusive: [] }]) {
  Deno.test(`parseArguments() accepts the same arguments as parseCommandLine(), for ${spec.name}`, async () => {
    let accepted = 0;
    const property = fc.asyncProperty(fc.array(words(spec), { maxLength: 5 }), async (argv) => {
      const expected = await outcome(parseCommandLine, spec, argv);
      if (expected !== "refused") accepted++;
      assertEquals(await outcome(parseArguments, spec, argv), expected, JSON.stringify(argv));
    });
    await fc.assert(property, FUZZ);
    assert(accepted > FUZZ.numRuns / 20, `only ${accepted} command lines were accepted`);
  });
}
