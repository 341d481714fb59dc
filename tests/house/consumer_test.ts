// Runs programs with the deno.json entries that docs/guides/script.md recommends for programs that
// import trimtab.

import { assertEquals } from "@std/assert";
import { runDeno } from "../../tools/child.ts";
import { newFolder } from "../folder.ts";
import { readProject } from "./project.ts";

const ROOT = new URL("../../", import.meta.url).href;
const GUIDE = readProject("docs/guides/script.md");

/** Runs without a type check, because a check with Deno's default options takes too long. */
const PROGRAM = `import * as trimtab from "@trimtab/trimtab/designs";
const usage: trimtab.UsageStats = new trimtab.TokenMonitor().checkUsage(45_000);
const config = trimtab.loadContextConfig({ projectDir: "/nowhere", configDir: undefined });
console.log(usage.percentage, config.context.warn_threshold);
`;

Deno.test("a program with the import entries from the docs runs", async () => {
  const [, snippet = ""] = /^```json\n(\{\n {2}"imports"[^`]*\})\n```$/m.exec(GUIDE) ?? [];
  using folder = newFolder();
  const config = snippet.replaceAll("../trimtab/", ROOT);
  Deno.writeTextFileSync(`${folder.path}/deno.json`, config);
  Deno.writeTextFileSync(`${folder.path}/main.ts`, PROGRAM);
  const flags = ["--no-check", "--cached-only", "--no-lock", "--no-prompt", "--allow-read"];
  const ended = await runDeno(["run", "--quiet", ...flags, "main.ts"], { cwd: folder.path });
  assertEquals(ended, { code: 0, stdout: "4.5 60\n", stderr: "" });
});

/** Runs in an empty folder, and reads a session with functions of mod.ts only. */
const SCRIPT = `import { status } from "MOD";
const path = "3b5b6ad2-7a0f-4f9c-9d0c-0e3a52a4c1de.jsonl";
const message = { role: "assistant", model: "claude-sonnet-5", content: "Done." };
const usage = { input_tokens: 90_000, output_tokens: 20 };
const lines = [
  { type: "user", uuid: "a", parentUuid: null, message: { role: "user", content: "Go on" } },
  { type: "assistant", uuid: "b", parentUuid: "a", message: { ...message, usage } },
];
Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\\n").join(""));
const { tokens, recommendation } = await status({ session: path, cwd: Deno.cwd() });
console.log(tokens, recommendation);
`;

Deno.test("a script without a project runs with trimtab's configuration, as documented", async () => {
  const match = /^deno (run) (--config) \S+ ((?:--allow-\w+ )+)script\.ts$/m.exec(GUIDE);
  using folder = newFolder();
  Deno.writeTextFileSync(`${folder.path}/script.ts`, SCRIPT.replace("MOD", `${ROOT}mod.ts`));
  const [, run = "", config = "", allowed = ""] = match ?? [];
  const flags = ["--no-check", "--cached-only", "--no-prompt", ...allowed.trim().split(" ")];
  const args = [run, "--quiet", config, new URL("deno.json", ROOT).pathname, ...flags];
  const command = [...args, "--allow-write=.", "script.ts"];
  const { code, stdout, stderr } = await runDeno(command, { cwd: folder.path });
  assertEquals([code, stderr], [0, ""]);
  assertEquals(stdout, "90000 Context is healthy. No action needed.\n");
});
