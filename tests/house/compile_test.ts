// The executable must ask for exactly the permissions that its commands and hooks need. tools/compile.ts
// itself checks that an executable contains every module.

import { assert, assertEquals } from "@std/assert";
import { compileArguments, TARGETS } from "../../tools/compile.ts";
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
