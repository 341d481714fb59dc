// Checks an executable before its release: it must contain every needed module, according to the
// tree that Deno prints, and ask for no more permissions than its parts, according to the
// launcher's rows.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { compileArguments, embeddedFiles, missingFiles, TARGETS } from "../../tools/compile.ts";
import { allPermissions, unionOfPermissions } from "../../tools/permissions.ts";
import { readProject } from "./project.ts";

const PRINTED = `
Embedded Files

trimtab
├─┬ .deno_compile_node_modules (5.21MB - 4.82MB unique)
│ └── ajv/8.20.0/* (1.1MB)
├── scripts/* (276.28KB)
├── \x1b[0m\x1b[38;5;245msnapshots.schema.json\x1b[0m (11.17KB)
└─┬ src (2.69MB)
  ├── batch/* (131.71KB)
  ├─┬ fleet (177.44KB)
  │ └── open_steps.ts (972B)
  └── version.ts (338B)

Files: 7.79MB
`;

Deno.test("embeddedFiles() and missingFiles() read the tree that deno compile prints", () => {
  const embedded = embeddedFiles(PRINTED);
  assertEquals([...embedded].filter((path) => !path.startsWith(".")), [
    "scripts/*",
    "snapshots.schema.json",
    "src",
    "src/batch/*",
    "src/fleet",
    "src/fleet/open_steps.ts",
    "src/version.ts",
  ]);
  const there = ["scripts/trim.ts", "src/batch/a/b.ts", "src/version.ts", "snapshots.schema.json"];
  assertEquals(missingFiles(embedded, there), []);
  const missing = ["src/fleet/post.ts", "batch/x.ts", "hooks/stop.ts", "src/open_steps.ts"];
  assertEquals(missingFiles(embedded, [...there, ...missing]), missing);
  assertEquals(missingFiles(embeddedFiles(""), there), there);
});

Deno.test("unionOfPermissions() limits a permission only if no part needs it without a limit", () => {
  assertEquals(
    unionOfPermissions([
      ["--allow-read=CONFIG,PROJECT", "--allow-env=HOME,B", "--allow-run=b"],
      ["--allow-env=A,HOME", "--allow-run=a"],
      ["--allow-write=PROJECT/.claude"],
      [],
    ]),
    ["--allow-env=A,B,HOME", "--allow-read", "--allow-run=a,b", "--allow-write"],
  );
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

Deno.test("the release workflow builds what compile.ts does, and signs the sums", () => {
  const workflow = readProject(".github/workflows/release.yml");
  assertStringIncludes(workflow, "task compile --all");
  assertStringIncludes(workflow, "SHA256SUMS");
});
