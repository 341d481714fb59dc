// What docs/guides/script.md tells a program to write into its deno.json.

import { assertEquals } from "@std/assert";
import { runDeno } from "../../tools/child.ts";
import { readProject } from "./project.ts";

const ROOT = new URL("../../", import.meta.url).href;

/** Somebody else's program. Checking its types by Deno's own options takes too long for this. */
const PROGRAM = `import * as trimtab from "@trimtab/trimtab";
const usage: trimtab.UsageStats = new trimtab.TokenMonitor().checkUsage(45_000);
const config = trimtab.loadContextConfig({ projectDir: "/nowhere", configDir: undefined });
console.log(usage.percentage, config.context.warn_threshold);
`;

Deno.test("a program with the import of the docs runs", async () => {
  const told = /^```json\n(\{ "imports".*\})\n```$/m.exec(readProject("docs/guides/script.md"))
    ?.[1];
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/deno.json`, told?.replace("../trimtab/", ROOT) ?? "");
    Deno.writeTextFileSync(`${folder}/main.ts`, PROGRAM);
    const flags = ["--no-check", "--cached-only", "--no-lock", "--no-prompt", "--allow-read"];
    const ended = await runDeno(["run", "--quiet", ...flags, "main.ts"], { cwd: folder });
    assertEquals(ended, { code: 0, stdout: "4.5 60\n", stderr: "" });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
