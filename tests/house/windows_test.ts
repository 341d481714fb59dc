import { assert, assertEquals } from "@std/assert";
import { exists } from "../../src/store/exists.ts";
import { ROOT } from "./project.ts";

Deno.test("bin/trimtab.cmd refers to existing files, and grants neither all permissions nor the network", () => {
  const text = Deno.readTextFileSync(`${ROOT}/bin/trimtab.cmd`);
  const named = [...text.matchAll(/%~dp0([\w.\\]+)/g)].map(([, path = ""]) =>
    path.replaceAll("\\", "/")
  );
  assertEquals(named, ["trimtab", "../deno.json", "commands.lock", "../scripts/trimtab.ts"]);
  for (const path of named) assert(exists(`${ROOT}/bin/${path}`), path);
  assert(!text.includes("--allow-all") && !text.includes("--allow-net"));
});
