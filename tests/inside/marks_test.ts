// That commands know the module's mark for theirs, with real files; that the client has what it takes is
// seen in tests/e2e/inside_test.ts.

import { assert, assertEquals, assertFalse } from "@std/assert";
import type { Client } from "../../src/inside/client.ts";
import { markOwn } from "../../src/inside/marks.ts";
import { isOurs, keyPath, markOurs } from "../../src/store/ours.ts";
import { runChild } from "../../tools/child.ts";

/** A client on real files, in a folder that a link leads to. */
function clientIn(folder: string): Client {
  return {
    session: {
      root: () => Promise.resolve(`${folder}/link`),
      info: () => Promise.resolve({ transcriptPath: `${folder}/config/projects/p/s.jsonl` }),
    },
    fs: {
      exists: (path: string) => Deno.stat(path).then(() => true, () => false),
      read: async (path: string) => ({ base64: (await Deno.readFile(path)).toBase64() }),
      stat: async (path: string) => ({
        kind: (await Deno.stat(path)).isFile ? "file" : "dir",
        size: (await Deno.stat(path)).size,
        isLink: (await Deno.lstat(path)).isSymlink,
        realPath: await Deno.realPath(path),
      }),
      write: async (path: string, text: string) => {
        await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(path, text);
      },
    },
    process: {
      hookEnv: () => Promise.resolve({ CLAUDE_PLUGIN_ROOT: "/plugin" }),
      run: ([command = "", ...args]: string[], { stdin }: { stdin: string }) =>
        runChild(command, args, { stdin }),
    },
  } as unknown as Client;
}

Deno.test({
  name: "markOwn() marks a file as commands do, with their key or one that they take over",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = Deno.makeTempDirSync();
    try {
      Deno.mkdirSync(`${folder}/project`);
      Deno.symlinkSync("project", `${folder}/link`);
      const place = { projectDir: `${folder}/project`, configDir: `${folder}/config` };
      await markOwn(clientIn(folder), "one.md", "text");
      assert(isOurs(place, "one.md", "text"));
      assertFalse(isOurs(place, "one.md", "another"));
      assertEquals((Deno.statSync(keyPath(place.configDir)).mode ?? 0) & 0o777, 0o600);
      markOurs(place, "two.md", "by a command");
      await markOwn(clientIn(folder), "three.md", "text");
      assert(isOurs(place, "two.md", "by a command") && isOurs(place, "three.md", "text"));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
