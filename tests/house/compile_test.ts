// The executable must ask for exactly the permissions that its commands and hooks need. tools/compile.ts
// itself checks that an executable contains every module.

import { assert, assertEquals } from "@std/assert";
import { compileArguments, hasCode, TARGETS } from "../../tools/compile.ts";
import { allPermissions, unionOfPermissions } from "../../tools/permissions.ts";

Deno.test("unionOfPermissions() grants a permission without a limit if any part needs it without a limit or for a folder", () => {
  const parts = [
    ["--allow-read=CONFIG,PROJECT", "--allow-env=HOME,B", "--allow-run=b"],
    ["--allow-env=A,HOME", "--allow-run=a"],
    ["--allow-write=PROJECT/.claude"],
    [],
  ];
  const union = ["--allow-env=A,B,HOME", "--allow-read", "--allow-run=a,b", "--allow-write"];
  assertEquals(unionOfPermissions(parts), union);
  assertEquals(unionOfPermissions([["--allow-read"], ["--allow-read=x"]]), ["--allow-read"]);
});

Deno.test("the executable has the union of its parts' permissions", () => {
  const needed = unionOfPermissions(allPermissions().values());
  for (const name of ["net", "ffi", "import"]) {
    assert(!needed.some((flag) => flag.startsWith(`--allow-${name}`)), name);
  }
  for (const target of TARGETS) {
    const compileArgs = compileArguments(target, "out/trimtab");
    assertEquals(compileArgs.filter((word) => word.startsWith("--allow-")), needed);
    assertEquals(compileArgs[compileArgs.indexOf("scripts/trimtab.ts") - 2], `--target=${target}`);
    assert(compileArgs.includes("--no-prompt"));
  }
});

Deno.test("hasCode() is false for a module with only types", () => {
  const types = `// const x
/** const y = 1; */
import type { A } from "./a.ts";
import { type B } from "./b.ts";
export type { A } from "./a.ts";
/** T */ export type T = {
  a: () => void;
};
export interface I {
  let: A | B;
}
`;
  assertEquals(hasCode(types), false);
  const codes = [
    ...["const x = 1;", "export async function f() {}", "export abstract class C {}"],
    ...['export * from "./a.ts";', 'export { a } from "./a.ts";', 'import "./a.ts";', "main();"],
    ...["if (Deno.args.length) {\n  main();\n}", "await main();", "import.meta.main && main();"],
    ...['await import("./a.ts");', "[1].map(String);", "export default class {}"],
  ];
  assertEquals(codes.filter((code) => !hasCode(types + code)), []);
});
