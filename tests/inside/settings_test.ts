import { assertEquals, assertMatch } from "@std/assert";
import { hookConfig } from "../../src/config/read_config.ts";
import type { Client } from "../../src/inside/client.ts";
import { settingsOf } from "../../src/inside/settings.ts";
import { newFolder } from "../folder.ts";
import { fakeFiles, resolving } from "./fake_files.ts";

function clientOf(files: Map<string, string>, root = "/p"): Client {
  const info = { transcriptPath: "/home/me/.claude/projects/-p/0e3c1a52.jsonl" };
  return { fs: fakeFiles(files), session: resolving({ root, info }) } as unknown as Client;
}

async function read(user: string, project: string): Promise<unknown[]> {
  const files = new Map<string, string>();
  if (user !== "") files.set("/home/me/.claude/trimtab.toml", user);
  if (project !== "") files.set("/p/.claude/trimtab.toml", project);
  const { context, isPartial, problem } = await settingsOf(clientOf(files));
  return [context.warn_threshold, isPartial, ...(problem === undefined ? [] : [problem])];
}

Deno.test("settingsOf() accepts only values from a project that warn later, and reports that it ignored others", async () => {
  const warn = (percent: number): string => `[context]\nwarn_threshold = ${percent}\n`;
  assertEquals(await read("", ""), [60, false]);
  assertEquals(await read(warn(30), ""), [30, false]);
  assertEquals(await read("", warn(70)), [70, false]);
  // Only the hooks can check whether the project is trusted.
  assertEquals(await read("", warn(30)), [60, true]);
});

Deno.test("settingsOf() uses the defaults if a file is invalid or too large, and reports the invalid key or file", async () => {
  const wrong = '[context]\nwarn_threshold = "70"\ntrim_keep_recent = 9\n';
  assertEquals(await read(wrong, ""), [
    60,
    true,
    "using the defaults, because the configuration is invalid: context.warn_threshold in " +
    "/home/me/.claude/trimtab.toml. Run trimtab doctor to see what is expected",
  ]);
  const [, , unordered] = await read("[context]\nwarn_threshold = 80\n", "");
  const named = /invalid: context\.warn_threshold in \/home\/me.*toml\. Run trimtab/;
  assertMatch(String(unordered), named);
  const [, , broken] = await read("[context\n", "");
  assertMatch(String(broken), /invalid: \/home\/me\/\.claude\/trimtab\.toml\. Run trimtab/);
  const [, , large] = await read("", "#".repeat(1_000_001));
  assertEquals(large, "using the defaults, because /p/.claude/trimtab.toml cannot be read");
});

Deno.test("settingsOf() reads the same .work.toml as the hooks", async () => {
  using top = newFolder();
  const layouts = [
    { files: [".git/HEAD", ".work.toml", "a/b/x"], expected: 71 },
    { files: [".git/HEAD", ".work.toml", "a/.work.toml", "a/b/x"], expected: 72 },
    { files: [".git/HEAD", ".work.toml", "a/.work.toml", "a/b/.work.toml"], expected: 73 },
    { files: [".work.toml", "a/.git/HEAD", "a/b/x"], expected: 60 },
    { files: [".work.toml", "a/b/x"], expected: 60 },
  ];
  for (const [index, { files, expected }] of layouts.entries()) {
    const root = `${top.path}/${index}`;
    const known = new Map<string, string>();
    for (const file of files) {
      const path = `${root}/${file}`;
      const percent = 70 + file.split("/").length;
      const text = file.endsWith(".toml") ? `[context]\nwarn_threshold = ${percent}\n` : "x";
      Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(path, text);
      known.set(path.replace(/\.git\/HEAD$/, ".git"), text);
    }
    const projectDir = `${root}/a/b`;
    const inside = await settingsOf(clientOf(known, projectDir));
    const hook = await hookConfig({ projectDir, configDir: `${root}/config` });
    assertEquals(inside.context.warn_threshold, expected, files.join(" "));
    assertEquals(hook.config.context.warn_threshold, expected, files.join(" "));
  }
});
