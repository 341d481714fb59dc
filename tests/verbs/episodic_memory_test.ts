import { assertEquals, assertMatch } from "@std/assert";
import { findEpisodicMemory, startEpisodicMemorySync } from "../../src/verbs/episodic_memory.ts";
import { runDeno } from "../../tools/child.ts";
import "../own_config.ts";
import { posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";

async function withCommand(
  script: string,
  run: (command: string, folder: string) => void | Promise<void>,
): Promise<void> {
  using folder = newFolder();
  const command = `${folder.path}/episodic-memory`;
  Deno.writeTextFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await run(command, folder.path);
}

function pathOf(...folders: string[]): (name: string) => string | undefined {
  return (name) => name === "PATH" ? folders.join(":") : undefined;
}

posixTest(
  "findEpisodicMemory() finds the command on the path, if it can be run",
  () =>
    withCommand("", (command, folder) => {
      assertEquals(findEpisodicMemory(pathOf("/nowhere", "", folder)), command);
      assertEquals(findEpisodicMemory(pathOf("/nowhere", "", ".")), null);
      assertEquals(findEpisodicMemory(() => undefined), null);
      Deno.chmodSync(command, 0o644);
      assertEquals(findEpisodicMemory(pathOf(folder)), null);
      Deno.removeSync(command);
      Deno.mkdirSync(command);
      assertEquals(findEpisodicMemory(pathOf(folder)), null);
    }),
);

Deno.test("startEpisodicMemorySync() reports an unusable or missing command", () => {
  assertEquals(startEpisodicMemorySync(null), "episodic-memory: not installed.");
  assertMatch(
    startEpisodicMemorySync("/nowhere/episodic-memory"),
    /^episodic-memory: sync cannot run: .+\.$/,
  );
});

posixTest(
  "startEpisodicMemorySync() does not wait, and the command outlives the process that started it",
  () =>
    withCommand('read line < "$0.go"; echo done > "$0.end"', async (command, folder) => {
      await new Deno.Command("mkfifo", { args: [`${command}.go`, `${command}.end`] }).output();
      const url = new URL("../../src/verbs/episodic_memory.ts", import.meta.url).href;
      const code = `import { startEpisodicMemorySync } from ${JSON.stringify(url)};
        console.log(startEpisodicMemorySync(${JSON.stringify(command)}));`;
      Deno.writeTextFileSync(`${folder}/start.ts`, code);
      const run = ["run", "--no-prompt", "--no-check", `--allow-run=${command}`];
      const result = await runDeno([...run, `${folder}/start.ts`]);
      assertEquals(result, {
        code: 0,
        stdout: "episodic-memory: sync was started in the background.\n",
        stderr: "",
      });
      // The child waits for this line, so it has outlived the process that started it.
      Deno.writeTextFileSync(`${command}.go`, "go\n");
      assertEquals(await Deno.readTextFile(`${command}.end`), "done\n");
    }),
);
