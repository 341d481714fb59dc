// tests/e2e/inside_test.ts shows that the client's own reads refuse pipes and devices.

import { assertEquals, assertRejects } from "@std/assert";
import type { Client } from "../../src/inside/client.ts";
import { readText, writeOwn } from "../../src/inside/files.ts";
import { fakeFiles } from "./fake_files.ts";
import { indexOf } from "../git_index.ts";

const FILE = "/r/p/.claude/trimtab/state/one.json";
const IGNORE = "/r/p/.claude/trimtab/.gitignore";
const SEARCHED = "/r/p/.claude/trimtab/.ignore";

function clientOf(
  files: Map<string, string | Uint8Array>,
  links = new Map<string, string>(),
): Client {
  return { fs: fakeFiles(files, links) } as unknown as Client;
}

function write(client: Client): Promise<void> {
  return writeOwn(client, { root: "/r/p", below: ["trimtab", "state", "one.json"] }, "text");
}

Deno.test("writeOwn() writes a file, and ignore files that exclude everything", async () => {
  for (const before of [undefined, "*\n!state\n", "state\n", ""]) {
    const files = new Map<string, string>(before === undefined ? [] : [[IGNORE, before]]);
    await write(clientOf(files));
    assertEquals([files.get(FILE), files.get(IGNORE), files.get(SEARCHED)], ["text", "*\n", "*\n"]);
  }
  const own = new Map([[SEARCHED, "# mine\n"]]);
  await write(clientOf(own));
  assertEquals([own.get(SEARCHED), own.get(IGNORE)], ["# mine\n", "*\n"]);
  const kept = new Map([[IGNORE, "# mine\n*\n"]]);
  await write(clientOf(kept));
  assertEquals(kept.get(IGNORE), "# mine\n*\n");
});

Deno.test("writeOwn() fails if the client cannot write the file", async () => {
  const client = clientOf(new Map([[IGNORE, "*\n"]]));
  const write = (): Promise<void> => Promise.reject(new Error("no space is left"));
  await assertRejects(
    () =>
      writeOwn(
        { ...client, fs: { ...client.fs, write } } as Client,
        { root: "/r/p", below: ["trimtab", "state", "one.json"] },
        "text",
      ),
    Error,
    "no space is left",
  );
});

Deno.test("writeOwn() writes nothing that git tracks", async () => {
  const cases: [git: [string, string | Uint8Array][], message: string][] = [
    [[["/r/p/.git/index", indexOf(".claude/trimtab/state/one.json")]], "state/one.json"],
    [[["/r/p/.git/index", indexOf(".claude/trimtab/.gitignore")]], ".gitignore"],
    [[["/r/.git/index", indexOf("p/.claude/trimtab/state/one.json")]], "state/one.json"],
    [[
      ["/r/p/.git", "gitdir: /main/.git/worktrees/p\n"],
      ["/main/.git/worktrees/p/index", indexOf(".claude/trimtab/state/one.json")],
    ], "state/one.json"],
  ];
  for (const [git, message] of cases) {
    const files = new Map<string, string | Uint8Array>(git);
    for (const [path] of git) {
      if (path.endsWith("/.git/index")) {
        files.set(path.slice(0, -"/index".length), new Uint8Array());
      }
    }
    await assertRejects(() => write(clientOf(files)), TypeError, `git tracks .claude/trimtab/`);
    await assertRejects(() => write(clientOf(files)), TypeError, message);
    assertEquals(files.has(FILE), false);
  }
  const other = new Map<string, string | Uint8Array>([
    ["/r/p/.git", new Uint8Array()],
    ["/r/p/.git/index", indexOf("q/.claude/trimtab/state/one.json")],
  ]);
  await write(clientOf(other));
  assertEquals(other.get(FILE), "text");
});

Deno.test("writeOwn() follows no link", async () => {
  for (const path of [FILE, IGNORE, "/r/p/.claude/trimtab"]) {
    const files = new Map<string, string>();
    const client = clientOf(files, new Map([[path, "/elsewhere"]]));
    await assertRejects(() => write(client), TypeError, "is a link");
    assertEquals(files.size, 0);
  }
});

Deno.test("readText() reads a file up to its size limit", async () => {
  const client = clientOf(new Map([["/a", "wörds"]]), new Map([["/link", "/b"]]));
  assertEquals(await readText(client, "/a", 6), "wörds");
  for (const [path, most] of [["/a", 5], ["/none", 100], ["/link", 100]] as const) {
    assertEquals(await readText(client, path, most), undefined, path);
  }
});
