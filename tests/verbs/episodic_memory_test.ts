import { assertEquals, assertMatch } from "@std/assert";
import { startEpisodicMemorySync } from "../../src/verbs/episodic_memory.ts";
import { runDeno } from "../../tools/child.ts";
import "../own_config.ts";
import { posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";

Deno.test("startEpisodicMemorySync() reports an unusable or missing command", () => {
  assertEquals(startEpisodicMemorySync(null), "episodic-memory: not installed.");
  const unusable = startEpisodicMemorySync("/nowhere/episodic-memory");
  assertMatch(unusable, /^episodic-memory: sync cannot run: .+\.$/);
});

posixTest("startEpisodicMemorySync() starts a command that outlives the process", async () => {
  using folder = newFolder();
  const command = `${folder.path}/episodic-memory`;
  const script = '#!/bin/sh\nread line < "$0.go"; echo done > "$0.end"\n';
  Deno.writeTextFileSync(command, script, { mode: 0o755 });
  await new Deno.Command("mkfifo", { args: [`${command}.go`, `${command}.end`] }).output();
  const url = new URL("../../src/verbs/episodic_memory.ts", import.meta.url).href;
  const code = `import { startEpisodicMemorySync } from ${JSON.stringify(url)};
    console.log(startEpisodicMemorySync(${JSON.stringify(command)}));`;
  Deno.writeTextFileSync(`${folder.path}/start.ts`, code);
  const run = ["run", "--no-prompt", "--no-check", `--allow-run=${command}`];
  const { stdout } = await runDeno([...run, `${folder.path}/start.ts`]);
  assertEquals(stdout, "episodic-memory: sync was started in the background.\n");
  // The command waits for this line, so it has outlived the process that started it.
  Deno.writeTextFileSync(`${command}.go`, "go\n");
  assertEquals(await Deno.readTextFile(`${command}.end`), "done\n");
});
