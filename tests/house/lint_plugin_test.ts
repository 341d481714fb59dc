import { assertEquals } from "@std/assert";
import plugin from "../../tools/lint_plugin.ts";

function rules(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, path, source).map((one) => one.id);
}

Deno.test("house/no-top-level-arrow finds an arrow function only at the top level", () => {
  const path = "/p/scripts/a.ts";
  assertEquals(rules(path, "const f = () => 1;"), ["house/no-top-level-arrow"]);
  assertEquals(rules(path, "export const f = async () => {};"), ["house/no-top-level-arrow"]);
  assertEquals(rules(path, "function f() { const g = () => 1; return g; }"), []);
  assertEquals(rules(path, "const f = [1].map((x) => x);"), []);
});

Deno.test("house/no-console-in-library finds a console call only in src/ and hooks/", () => {
  for (const path of ["/p/src/trim/a.ts", "/p/hooks/stop.ts", "C:\\p\\src\\a.ts"]) {
    assertEquals(rules(path, "console.log(1);"), ["house/no-console-in-library"]);
  }
  assertEquals(rules("/p/scripts/a.ts", "console.log(1);"), []);
  assertEquals(rules("/p/src/a.ts", "// console.log(1)\nconst console2 = 1;"), []);
});

Deno.test("house/no-direct-read finds calls that read a file, or open one for reading, except in the allowed modules", () => {
  const found = ["house/no-direct-read"];
  for (const path of ["/p/src/trim/a.ts", "/p/hooks/a.ts", "/p/cli/a.ts", "C:\\p\\scripts\\a.ts"]) {
    assertEquals(rules(path, "Deno.readTextFileSync(path);"), found, path);
  }
  const path = "/p/src/a.ts";
  assertEquals(rules(path, "await Deno.readFile(path);"), found);
  assertEquals(rules(path, "[path].map(Deno.readFileSync);"), found);
  assertEquals(rules(path, "using file = Deno.openSync(path);"), found);
  assertEquals(rules(path, "Deno.openSync(path, { write: true });"), []);
  assertEquals(rules("/p/src/inside/a.ts", "await client.fs.read(path);"), found);
  assertEquals(rules("/p/src/store/read_file.ts", "Deno.openSync(path);"), []);
  assertEquals(rules("/p/tests/hooks/a.ts", "Deno.readFileSync(path);"), []);
});
