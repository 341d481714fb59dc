// Imports every module of src/ directly, as hooks do. The imports also make the coverage include modules
// without tests.

import { assert } from "@std/assert";
import { projectFiles, ROOT } from "./project.ts";
import { runDeno } from "../../tools/child.ts";

Deno.test("every module of src/ can be loaded", async () => {
  const modules = projectFiles("src", ["ts"]);
  assert(modules.length > 0);
  for (const path of modules) await import(new URL(`../../${path}`, import.meta.url).href);
});

Deno.test("mod.ts can be loaded without any permission", async () => {
  const { code, stderr } = await runDeno(["run", "--no-prompt", `${ROOT}/mod.ts`]);
  assert(code === 0, stderr);
});
