// The facades in deps/ exist to make wrong calls of @std type errors. Each wrong snippet must fail
// with the error that names its mistake; each correct one must pass.

import { assertEquals } from "@std/assert";
import { runDeno } from "../../tools/child.ts";

const ROOT = new URL("../../", import.meta.url);

const RIGHT: Record<string, string> = {
  args_all: `
    import { parseArgs } from "@std/cli";
    const args = parseArgs(["--json"], {
      boolean: ["json", "help"], string: ["level", "name", "tool"], collect: ["tool"],
      negatable: ["json"], alias: { help: ["h", "?"] }, default: { level: "essential" },
      "--": true, stopEarly: false, unknown: (arg) => arg.startsWith("-"),
    });
    export const json: boolean = args.json;
    export const level: string = args.level;
    export const name: string | undefined = args.name;
    export const tools: string[] = args.tool;
    export const rest: string[] = args["--"];
    export const others: (string | number)[] = args._;`,
  args_one: `
    import { parseArgs } from "@std/cli";
    export const json: boolean = parseArgs([], { boolean: "json" }).json;`,
  assert_narrows: `
    import { assert, assertExists, assertInstanceOf, assertStrictEquals } from "@std/assert";
    export function use(a: string | undefined, b: unknown, c: number | null, d: unknown): string {
      assert(a); assertInstanceOf(b, TypeError); assertExists(c); assertStrictEquals(d, "x");
      return a + b.message + c.toFixed() + d.length;
    }`,
  assert_throws: `
    import { assertObjectMatch, assertRejects, assertThrows, fail } from "@std/assert";
    interface Shape { a: number; b: string }
    export async function use(shape: Shape): Promise<string> {
      assertObjectMatch(shape, { a: 1 });
      const first: RangeError = assertThrows(() => shape.a, RangeError, "text");
      const second: Error = await assertRejects(() => Promise.reject(1), Deno.errors.NotFound);
      if (shape.a === 1) return first.message + second.message;
      fail("never");
    }`,
  files: `
    import { ensureDirSync, existsSync, walkSync } from "@std/fs";
    ensureDirSync(new URL("file:///x"));
    export const paths: string[] = Array.from(walkSync(".", { exts: ["md"] }), (e) => e.path);
    export const there: boolean = existsSync("x", { isFile: true });`,
  formats: `
    import { type JsonValue, parse } from "@std/jsonc";
    import { parse as parseToml, stringify } from "@std/toml";
    export const value: JsonValue = parse("{}");
    export const table: Record<string, unknown> = parseToml("");
    export const text: string = stringify({ a: 1 }, { keyAlignment: true });`,
};

const WRONG: Record<string, readonly [code: string, snippet: string]> = {
  args_misspelt_flag: ["TS2551", cli(`parseArgs([], { boolean: ["json"] }).jsn;`)],
  args_unknown_flag: ["TS2339", cli(`parseArgs([], { boolean: ["json"] }).window;`)],
  args_misspelt_option: ["TS2561", cli(`parseArgs([], { boolea: ["json"] });`)],
  args_string_for_list: ["TS2345", cli(`parseArgs("--json", {});`)],
  args_default_of_wrong_type: ["TS2322", cli(`parseArgs([], { string: "a", default: { a: 1 } });`)],
  args_default_of_no_flag: ["TS2353", cli(`parseArgs([], { string: "abc", default: { x: "" } });`)],
  args_alias_of_no_flag: ["TS2353", cli(`parseArgs([], { string: "abc", alias: { x: "y" } });`)],
  args_negating_a_string: ["TS2322", cli(`parseArgs([], { string: "a", negatable: ["a"] });`)],
  args_collecting_no_flag: ["TS2322", cli(`parseArgs([], { string: "abc", collect: ["x"] });`)],
  args_maybe_missing: ["TS2532", cli(`parseArgs([], { string: "level" }).level.length;`)],
  equals_of_two_types: ["TS2345", std("assertEquals", `assertEquals(1, "1");`)],
  equals_without_expected: ["TS2554", std("assertEquals", `assertEquals(1);`)],
  match_with_a_string: ["TS2345", std("assertMatch", `assertMatch("a", "a");`)],
  includes_in_a_number: ["TS2345", std("assertStringIncludes", `assertStringIncludes(1, "1");`)],
  greater_of_two_types: ["TS2345", std("assertGreater", `assertGreater(1, "0");`)],
  almost_of_strings: ["TS2345", std("assertAlmostEquals", `assertAlmostEquals("1", "1");`)],
  throws_of_a_value: ["TS2345", std("assertThrows", `assertThrows(42);`)],
  throws_of_no_class: ["TS2769", std("assertThrows", `assertThrows(() => 1, 42);`)],
  rejects_of_no_promise: ["TS2322", std("assertRejects", `assertRejects(() => 1);`)],
  instance_of_no_class: ["TS2345", std("assertInstanceOf", `assertInstanceOf({}, "Error");`)],
  object_match_of_text: ["TS2345", std("assertObjectMatch", `assertObjectMatch("a", {});`)],
  assert_not_there: ["TS2305", std("assertTruthy", `assertTruthy(1);`)],
  jsonc_of_a_number: ["TS2345", `import { parse } from "@std/jsonc"; parse(1);`],
  jsonc_result_is_not_any: [
    "TS2322",
    `import { parse } from "@std/jsonc"; export const n: number = parse("1");`,
  ],
  toml_of_bytes: ["TS2345", `import { parse } from "@std/toml"; parse(new Uint8Array());`],
  toml_result_is_not_any: ["TS2571", `import { parse } from "@std/toml"; parse("a=1").a.length;`],
  toml_of_a_list: ["TS2345", `import { stringify } from "@std/toml"; stringify("a");`],
  fs_misspelt_option: ["TS2561", `import { walkSync } from "@std/fs"; walkSync(".", { ext: [] });`],
  fs_of_a_number: ["TS2345", `import { existsSync } from "@std/fs"; existsSync(1);`],
};

function cli(call: string): string {
  return `import { parseArgs } from "@std/cli"; ${call}`;
}

function std(name: string, call: string): string {
  return `import { ${name} } from "@std/assert"; ${call}`;
}

/** Writes each snippet to its own file, checks all at once, and lists the errors by file. */
async function checkSnippets(
  snippets: Record<string, string>,
): Promise<{ code: number; errors: Record<string, string[]>; stderr: string }> {
  const folder = Deno.makeTempDirSync();
  try {
    const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
    const imports: Record<string, string> = {};
    for (const [name, target] of Object.entries<string>(config.imports)) {
      imports[name] = target.startsWith("./") ? new URL(target, ROOT).href : target;
    }
    const own = { imports, compilerOptions: config.compilerOptions };
    Deno.writeTextFileSync(`${folder}/deno.json`, JSON.stringify(own));
    const files = Object.entries(snippets).map(([name, text]) => {
      Deno.writeTextFileSync(`${folder}/${name}.ts`, text);
      return `${name}.ts`;
    });
    const { code, stderr } = await runDeno(["check", "--no-lock", ...files], { cwd: folder });
    return { code, errors: errorsByFile(stderr), stderr };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function errorsByFile(text: string): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  let code = "";
  for (const line of text.split("\n")) {
    const error = /^(TS\d+) \[ERROR\]/.exec(line);
    if (error) code = error[1] ?? "";
    // The first location after an error belongs to it; later ones belong to its explanation.
    const place = /^ {4}at file:.*\/(\w+)\.ts:\d+:\d+$/.exec(line);
    if (place?.[1] === undefined || code === "") continue;
    (errors[place[1]] ??= []).push(code);
    code = "";
  }
  return errors;
}

Deno.test("deps facades accept every right call", async () => {
  const { code, stderr } = await checkSnippets(RIGHT);
  assertEquals({ code, failed: code === 0 ? "" : stderr }, { code: 0, failed: "" });
});

Deno.test("deps facades make every wrong call a specific type error", async () => {
  const snippets = Object.fromEntries(
    Object.entries(WRONG).map(([name, [, snippet]]) => [name, snippet]),
  );
  const expected = Object.fromEntries(
    Object.entries(WRONG).map(([name, [code]]) => [name, [code]]),
  );
  const { code, errors } = await checkSnippets(snippets);
  assertEquals(errors, expected);
  assertEquals(code, 1);
});
