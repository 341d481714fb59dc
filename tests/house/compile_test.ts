// The executable must contain every module, and ask for exactly the permissions that its commands and hooks
// need.

import { assert, assertEquals } from "@std/assert";
import { compileArguments, TARGETS } from "../../tools/compile.ts";
import { hiddenCosts } from "../../tools/graph.ts";
import { allPermissions, unionOfPermissions } from "../../tools/permissions.ts";
import { projectFiles, readProject } from "./project.ts";

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

Deno.test("no module is imported by a computed name, because the executable would lack it", () => {
  const files = ["src", "cli", "scripts", "hooks"].flatMap((name) => projectFiles(name, ["ts"]));
  const found = files.filter((path) => hiddenCosts(readProject(path)).includes("computed import"));
  assertEquals(found, []);
});
