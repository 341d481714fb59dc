// Imports every module directly, as hooks do. The imports also make the coverage include modules without
// tests.

import { assert } from "@std/assert";
import { projectFiles, readProject, ROOT } from "./project.ts";
import { runDeno } from "../../tools/child.ts";

Deno.test("every module of src/, cli/, scripts/ and hooks/ can be loaded", async () => {
  const modules = ["src", "cli", "scripts", "hooks"]
    .flatMap((folder) => projectFiles(folder, ["ts"]));
  assert(modules.length > 0);
  for (const path of modules) await import(new URL(`../../${path}`, import.meta.url).href);
});

Deno.test("mod.ts can be loaded without any permission", async () => {
  const { code, stderr } = await runDeno(["run", "--no-prompt", `${ROOT}/mod.ts`]);
  assert(code === 0, stderr);
});

Deno.test("the coverage threshold is at least 90 % of lines and 85 % of branches", () => {
  const { lines, branches } = JSON.parse(readProject("deno.json")).coverage.thresholds;
  assert(lines >= 90 && branches >= 85, `${lines} % of lines, ${branches} % of branches`);
});
