import { assertEquals, assertLess, assertMatch } from "@std/assert";
import {
  findEpisodicMemory,
  startEpisodicMemorySync,
  syncEpisodicMemory,
} from "../../src/verbs/episodic_memory.ts";
import { runDeno } from "../../tools/child.ts";
import { POSIX } from "../saved/lineage/sessions.ts";
import "../own_config.ts";

async function withCommand(
  script: string,
  run: (command: string, folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "trimtab-episodic-" });
  const command = `${folder}/episodic-memory`;
  try {
    Deno.writeTextFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await run(command, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function pathOf(...folders: string[]): (name: string) => string | undefined {
  return (name) => name === "PATH" ? folders.join(":") : undefined;
}

Deno.test({
  name: "findEpisodicMemory() finds the command on the path, if it can be run",
  ignore: !POSIX,
  fn: () =>
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
});

Deno.test({
  name: "syncEpisodicMemory() runs sync and reports it",
  ignore: !POSIX,
  fn: () =>
    withCommand('echo loud; echo "$*" > "$0.args"', async (command) => {
      assertEquals(
        await syncEpisodicMemory({ command }),
        "episodic-memory: this session is indexed.",
      );
      assertEquals(Deno.readTextFileSync(`${command}.args`), "sync\n");
    }),
});

Deno.test({
  name: "syncEpisodicMemory() reports a failed, unusable or missing command",
  ignore: !POSIX,
  fn: () =>
    withCommand("exit 3", async (command) => {
      assertEquals(
        await syncEpisodicMemory({ command }),
        "episodic-memory: sync failed with exit code 3.",
      );
      assertEquals(await syncEpisodicMemory({ command: null }), "episodic-memory: not installed.");
      assertMatch(
        await syncEpisodicMemory({ command: `${command}-gone` }),
        /^episodic-memory: sync cannot run: .+\.$/,
      );
      assertEquals(startEpisodicMemorySync(null), "episodic-memory: not installed.");
      assertMatch(startEpisodicMemorySync(`${command}-gone`), /sync cannot run/);
    }),
});

Deno.test({
  name: "syncEpisodicMemory() ends the command and its children at the time limit",
  ignore: !POSIX,
  fn: () =>
    withCommand('exec 3> "$0.alive"; sleep 60 & sleep 60', async (command) => {
      await new Deno.Command("mkfifo", { args: [`${command}.alive`] }).output();
      const start = performance.now();
      // The read ends when the last writer ends: the command and its child.
      const alive = Deno.readTextFile(`${command}.alive`);
      const note = await syncEpisodicMemory({ command, timeoutMs: 5_000 });
      assertEquals(note, "episodic-memory: sync was stopped after 5 s.");
      assertEquals(await alive, "");
      assertLess(performance.now() - start, 50_000);
    }),
});

Deno.test({
  name:
    "startEpisodicMemorySync() does not wait, and the command outlives the process that started it",
  ignore: !POSIX,
  fn: () =>
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
});
