// tests/e2e/inside_test.ts shows that the client's own reads refuse pipes and devices.

import { assertEquals, assertRejects } from "@std/assert";
import type { Client } from "../../src/inside/client.ts";
import { readText, writeOwn } from "../../src/inside/files.ts";
import { fakeFiles } from "./fake_files.ts";

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
  return writeOwn(client, { root: "/r/p", path: FILE }, "text");
}

Deno.test("writeOwn() writes a file, and adds missing ignore files that exclude everything", async () => {
  const files = new Map<string, string>();
  await write(clientOf(files));
  assertEquals([files.get(FILE), files.get(IGNORE), files.get(SEARCHED)], ["text", "*\n", "*\n"]);
  const mine = new Map([[SEARCHED, "# mine\n"]]);
  await write(clientOf(mine));
  assertEquals([mine.get(SEARCHED), mine.get(IGNORE)], ["# mine\n", "*\n"]);
  const kept = new Map([[IGNORE, "# mine\n*\n"]]);
  await write(clientOf(kept));
  assertEquals(kept.get(IGNORE), "# mine\n*\n");
});

Deno.test("writeOwn() writes nothing unless .gitignore excludes everything", async () => {
  for (const ignore of ["*\n!state\n", "state\n", "", "*\n".repeat(40_000), new Uint8Array()]) {
    const files = new Map([[IGNORE, ignore]]);
    await assertRejects(() => write(clientOf(files)), TypeError, "does not ignore everything");
    assertEquals([...files], [[IGNORE, ignore]]);
  }
});

Deno.test("writeOwn() does not follow links, except from .claude to another folder of the project", async () => {
  const files = new Map<string, string | Uint8Array>([["/r/p", new Uint8Array()]]);
  const writeThrough = (path: string, to: string): Promise<void> =>
    write(clientOf(files, new Map([[path, to]])));
  for (const path of [FILE, IGNORE, "/r/p/.claude/trimtab"]) {
    await assertRejects(() => writeThrough(path, "/elsewhere"), TypeError, "is a link");
  }
  for (const target of ["/elsewhere", "/r/p2/.claude", "/r/p"]) {
    await assertRejects(() => writeThrough("/r/p/.claude", target), TypeError, "points outside");
  }
  assertEquals(files.size, 1);
  await writeThrough("/r/p/.claude", "/r/p/own");
  assertEquals(files.get(FILE), "text");
});

Deno.test("readText() returns a file's text, or undefined if the file is too large, missing or a link", async () => {
  const client = clientOf(new Map([["/a", "wörds"]]), new Map([["/link", "/b"]]));
  assertEquals(await readText(client, "/a", 6), "wörds");
  for (const [path, maxBytes] of [["/a", 5], ["/none", 100], ["/link", 100]] as const) {
    assertEquals(await readText(client, path, maxBytes), undefined, path);
  }
});
