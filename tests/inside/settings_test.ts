import { assertEquals } from "@std/assert";
import type { Client } from "../../src/inside/client.ts";
import { readSettings } from "../../src/inside/settings.ts";
import { fakeFiles } from "./fake_files.ts";

const TRANSCRIPT = "/home/me/.claude/projects/-p/0e3c1a52.jsonl";

/** The module's settings from a user's and a project's configuration. */
async function read(user: string, project: string): Promise<unknown[] | undefined> {
  const files = new Map(
    [
      ["/home/me/.claude/trimtab.toml", user],
      ["/p/.claude/trimtab.toml", project],
    ].filter(([, text]) => text !== "").map(([path = "", text = ""]) => [path, text]),
  );
  const client = {
    fs: fakeFiles(files),
  } as unknown as Client;
  const settings = await readSettings(client, "/p", TRANSCRIPT);
  return settings && [settings.context.warn_threshold, settings.isPartial];
}

Deno.test("readSettings() takes of a project what is quieter, and says where that is not all", async () => {
  const warn = (percent: number): string => `[context]\nwarn_threshold = ${percent}\n`;
  assertEquals(await read("", ""), [60, false]);
  assertEquals(await read(warn(30), ""), [30, false]);
  assertEquals(await read("", warn(70)), [70, false]);
  // Whether that project is trusted only the hooks can tell.
  assertEquals(await read("", warn(30)), [60, true]);
  assertEquals(await read("", "[context]\nwarn_threshold = 2026-01-01\n"), undefined);
  assertEquals(await read("", "#".repeat(1_000_001)), undefined, "too large");
});
