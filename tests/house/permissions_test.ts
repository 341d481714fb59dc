// Least permission is a promise to users, so all places that state permissions must agree, and each
// script must run with exactly the stated permissions.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import {
  allPermissions,
  launcherTable,
  shebangPermissions,
  startedHooks,
  unionOfPermissions,
  withFolders,
} from "../../tools/permissions.ts";
import { namesIn, newFolder } from "../folder.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

const WITHOUT_JSON: Readonly<Record<string, string>> = {
  "scripts/trimtab.ts": "passes every flag on to the command that it runs",
};

function entryPoints(folder: string): string[] {
  if (!existsSync(`${ROOT}/${folder}`)) return [];
  return projectFiles(folder, ["ts"]).filter((path) => !/\/_[^/]*$/.test(path));
}

/** Adds the dispatcher that `deno compile` uses; it needs the permissions of all rows. */
function rowsWithDispatcher(): Map<string, readonly string[]> {
  const rows = new Map(allPermissions());
  return rows.set("scripts/trimtab.ts", unionOfPermissions([...rows.values()]));
}

Deno.test("the table of permissions lists exactly the scripts and hooks", () => {
  const rows = [...rowsWithDispatcher().keys()].sort();
  assertEquals(rows, [...entryPoints("hooks"), ...entryPoints("scripts")].sort());
});

Deno.test("the launcher's table agrees with the table of permissions (else: deno task reference)", () => {
  assertEquals(readProject("bin/parts/permissions.sh"), launcherTable());
});

Deno.test("no entry point may use the network, native libraries or remote imports, and no hook may start a program", () => {
  for (const [path, flags] of allPermissions()) {
    const names = ["net", "ffi", "import", ...path.startsWith("hooks/") ? ["run"] : []];
    const refused = new RegExp(`^--allow-(?:${names.join("|")})`);
    assertEquals(flags.filter((flag) => refused.test(flag)), [], path);
  }
});

/**
 * Runs a probe with the given permissions, and returns the files that the probe could write. The
 * project is the home folder.
 */
async function writableFiles(flags: readonly string[]): Promise<string[]> {
  using home = newFolder();
  const config = `${home.path}/.claude`;
  for (const name of ["trimtab/bin", "skills", "trimtab/own"]) {
    Deno.mkdirSync(`${config}/${name}`, { recursive: true });
  }
  Deno.symlinkSync(`${config}/trimtab/bin`, `${config}/trimtab/own/link`);
  const probe = `${home.path}/probe.ts`;
  Deno.writeTextFileSync(
    probe,
    "for (const path of Deno.args) {\n" +
      '  try { Deno.writeTextFileSync(path, "x"); console.log(path); } catch { }\n' +
      "  try { Deno.renameSync(path, path + 2); Deno.renameSync(path + 2, path); } catch { }\n}\n",
  );
  const names = ["trimtab/own/x", "trimtab/bin/trimtab-1", "trimtab/own/link/trimtab-1"];
  names.push("settings.json", "settings.local.json", "skills/x");
  const row = withFolders(flags, { config, project: home.path });
  const paths = names.map((name) => `${config}/${name}`);
  const options = { cwd: home.path, clearEnv: true, env: cleanEnv({ HOME: home.path }) };
  const args = ["run", "--quiet", "--no-prompt", ...row, probe, ...paths];
  const { stdout } = await runDeno(args, options);
  return stdout.trim().split("\n").map((path) => path.replace(`${config}/`, ""));
}

Deno.test("only install may write what the launcher or the client executes, even in the home folder", async () => {
  // `link` leads to `trimtab/bin`, where the launcher finds programs. Deno follows the link, but trimtab does
  // not.
  const harmless = ["", "trimtab/own/x", "trimtab/own/link/trimtab-1"];
  for (const [path, flags] of allPermissions()) {
    if (path === "scripts/install.ts" || !flags.join().includes("--allow-write")) continue;
    const paths = await writableFiles(flags);
    assertEquals(paths.filter((one) => !harmless.includes(one)), [], path);
  }
});

Deno.test("hooks.json starts every hook, and nothing else, through the launcher", () => {
  const started = [...startedHooks(readProject("hooks/hooks.json"))].sort();
  assertEquals(started, entryPoints("hooks").sort());
});

Deno.test("a script's shebang line has the permissions of the table", () => {
  const rows = rowsWithDispatcher();
  for (const path of entryPoints("scripts")) {
    const flags = shebangPermissions(readProject(path));
    if (flags !== undefined) assertEquals([path, ...flags], [path, ...rows.get(path) ?? []]);
  }
});

Deno.test("every script prints its help, including --json, with just its permissions", async (t) => {
  const rows = rowsWithDispatcher();
  const scripts = entryPoints("scripts");
  assert(scripts.length > 0, "there are no scripts yet");
  using folder = newFolder();
  for (const path of scripts) {
    await t.step(path, async () => {
      const folders = { config: `${folder.path}/.claude`, project: folder.path };
      const flags = withFolders(rows.get(path) ?? [], folders);
      const args = ["run", "--quiet", "--no-prompt", ...flags, `${ROOT}/${path}`, "--help"];
      const env = cleanEnv({ HOME: folder.path });
      const options = { cwd: folder.path, env, clearEnv: true };
      const { code, stdout, stderr } = await runDeno(args, options);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assert(stdout.trim() !== "", "help must go to stdout");
      if (!Object.hasOwn(WITHOUT_JSON, path)) assertStringIncludes(stdout, "--json");
    });
  }
  assertEquals(namesIn(folder.path), [], "printing help must write nothing");
});
