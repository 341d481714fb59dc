import { assertEquals } from "@std/assert";
import { quoteForShell } from "../../src/core/shell.ts";
import { runChild } from "../../tools/child.ts";
import "../own_config.ts";
import { posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";

/** Folder names, most of which a shell would split, run or change if they were not quoted. */
const NAMES = [
  ...["plain", "two words", " spaces ", "it's", "''", 'say "hi"', "$HOME", "$(touch hit)"],
  ...["`touch hit`", "a;touch hit", "a&b|c>d<e", "line\nbreak", "tab\there", "back\\slash"],
  ...["end\\", "*?[a-z]{x,y}~!#", "-n", "été 日本 😀", "a)b(c"],
];

posixTest("quoteForShell() turns any path into a single shell word", async () => {
  using temporary = newFolder();
  const root = temporary.path;
  Deno.mkdirSync(`${root}/bin`);
  // This script prints the number of its arguments, and the first argument.
  const claude = `#!/bin/sh\nprintf '%s\\n%s' "$#" "$1"\n`;
  Deno.writeTextFileSync(`${root}/bin/claude`, claude, { mode: 0o755 });
  const prompt = '## Session\n"quotes" $HOME `x` \\ end';
  for (const name of NAMES) {
    Deno.mkdirSync(`${root}/${name}`, { recursive: true });
    const path = `${root}/${name}/p.md`;
    Deno.writeTextFileSync(path, `${prompt}\n`);
    const options = { env: { PATH: `${root}/bin:/usr/bin:/bin` }, cwd: root };
    const args = ["-c", `claude "$(cat ${quoteForShell(path)})"`];
    const result = await runChild("/bin/sh", args, options);
    assertEquals(result, { code: 0, stdout: `1\n${prompt}`, stderr: "" }, name);
  }
  assertEquals([...Deno.readDirSync(root)].filter(({ name }) => name === "hit"), []);
});
