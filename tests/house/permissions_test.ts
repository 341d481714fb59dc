// Least permission is a promise to whoever runs a command, so each place that states the
// permissions must state the same, and each script must run with just those.

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { existsSync } from "@std/fs";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import {
  hooksStarted,
  launcherPermissions,
  permissionDifferences,
  type Permissions,
  readmePermissions,
  shebangPermissions,
  withFolders,
} from "../../tools/permissions.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

/** Scripts that take no `--json`, and why. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  "scripts/trimtab.ts": "passes every flag on to the command that it runs",
};

const README = `
| file | permissions | why |
| --- | --- | --- |
| \`scripts/status.ts\` | \`--allow-read --allow-env=HOME,CLAUDE_CONFIG_DIR\` | reads a session |
| \`scripts/fresh_start.ts\` |  | prints |
| \`hooks/stop.ts\` | \`--allow-read\` | reads a session |
`;
const LAUNCHER = `#!/bin/sh
case "$1" in
  status) perms='--allow-read --allow-env=HOME,CLAUDE_CONFIG_DIR' ;;
  fresh-start) perms='' ;; # nothing
  'hook stop') perms='--allow-read' ;;
  *) echo "unknown" ;;
esac
`;
const HOOKS = JSON.stringify({
  hooks: {
    Stop: [{
      hooks: [{
        type: "command",
        command: 'sh "${CLAUDE_PLUGIN_ROOT}/bin/trimtab" hook stop',
      }],
    }],
  },
});

function entryPoints(folder: string): string[] {
  if (!existsSync(`${ROOT}/${folder}`)) return [];
  return projectFiles(folder, ["ts"]).filter((path) => !/\/_[^/]*$/.test(path));
}

function projectReadme(): Permissions {
  assert(existsSync(`${ROOT}/README.md`), "there is no README.md yet, so no table of permissions");
  return readmePermissions(readProject("README.md"));
}

Deno.test("README.md has a row of permissions for every script and hook, and for nothing else", () => {
  const rows = [...projectReadme().keys()].sort();
  assertEquals(rows, [...entryPoints("hooks"), ...entryPoints("scripts")].sort());
});

Deno.test("the launcher gives the permissions that README.md names", () => {
  const launcher = launcherPermissions(readProject("bin/trimtab"));
  // The dispatcher is what `deno compile` builds; the launcher runs the scripts themselves.
  const rows = new Map([...projectReadme()].filter(([path]) => path !== "scripts/trimtab.ts"));
  assertEquals(permissionDifferences(rows, "README.md", launcher, "bin/trimtab"), []);
});

Deno.test("hooks.json starts every hook, and no other, through the launcher", () => {
  const started = [...hooksStarted(readProject("hooks/hooks.json"))].sort();
  assertEquals(started, entryPoints("hooks").sort());
});

Deno.test("a script's shebang line gives the permissions that README.md names", () => {
  const rows = projectReadme();
  for (const path of entryPoints("scripts")) {
    const flags = shebangPermissions(readProject(path));
    if (flags !== undefined) assertEquals([path, ...flags], [path, ...rows.get(path) ?? []]);
  }
});

Deno.test("every script prints its help, with --json in it, with just its permissions", async (t) => {
  const rows = projectReadme();
  const scripts = entryPoints("scripts");
  assert(scripts.length > 0, "there are no scripts yet");
  const folder = Deno.makeTempDirSync();
  try {
    for (const path of scripts) {
      await t.step(path, async () => {
        const folders = { config: `${folder}/.claude`, project: folder };
        const flags = withFolders(rows.get(path) ?? [], folders);
        const args = ["run", "--quiet", "--no-prompt", ...flags, `${ROOT}/${path}`, "--help"];
        const env = cleanEnv({ HOME: folder });
        const { code, stdout, stderr } = await runDeno(args, { cwd: folder, env, clearEnv: true });
        assertEquals({ code, stderr }, { code: 0, stderr: "" });
        assert(stdout.trim() !== "", "help must go to stdout");
        if (!Object.hasOwn(WITHOUT_JSON, path)) assertStringIncludes(stdout, "--json");
      });
    }
    assertEquals([...Deno.readDirSync(folder)], [], "printing help must write nothing");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("readmePermissions(), launcherPermissions() and hooksStarted() read their format", () => {
  const readme = readmePermissions(README);
  assertEquals([...readme], [
    ["scripts/status.ts", ["--allow-read", "--allow-env=HOME,CLAUDE_CONFIG_DIR"]],
    ["scripts/fresh_start.ts", []],
    ["hooks/stop.ts", ["--allow-read"]],
  ]);
  assertEquals(launcherPermissions(LAUNCHER), readme);
  assertEquals(hooksStarted(HOOKS), new Set(["hooks/stop.ts"]));
  assertThrows(() => hooksStarted(HOOKS.replace("sh ", "deno ")), SyntaxError, "the launcher");
  assertEquals(withFolders(["--allow-write=CONFIG,PROJECT/x"], { config: "/c", project: "/p" }), [
    "--allow-write=/c,/p/x",
  ]);
  assertEquals(launcherPermissions("  search | show) perms='--allow-read' ;;").size, 2);
  assertEquals(shebangPermissions("#!/usr/bin/env -S deno run --no-prompt --allow-env\nx"), [
    "--allow-env",
  ]);
  assertEquals(shebangPermissions("// deno run --allow-env"), undefined);
});

Deno.test("readmePermissions() and launcherPermissions() throw on what they cannot be sure of", () => {
  const row = "| `scripts/status.ts` | `--allow-read` | why |\n";
  assertThrows(() => readmePermissions("# trimtab"), SyntaxError, "no row like");
  assertThrows(() => readmePermissions(row + row), SyntaxError, "it stands twice");
  assertThrows(() => readmePermissions(row.replace("--allow", "--")), SyntaxError, "no permission");
  assertThrows(() => launcherPermissions("esac"), SyntaxError, "no line like");
  assertThrows(() => launcherPermissions("a) perms='-A' ;;"), SyntaxError, "no permission");
});

Deno.test("permissionDifferences() names a flag that differs and a row that is missing", () => {
  const readme = readmePermissions(README);
  const wider = launcherPermissions(LAUNCHER.replace("perms=''", "perms='--allow-write'"));
  assertEquals(permissionDifferences(readme, "README.md", wider, "bin/trimtab"), [
    'scripts/fresh_start.ts: README.md has "", bin/trimtab has "--allow-write"',
  ]);
  const fewer = launcherPermissions(LAUNCHER.replace(/ {2}fresh.*\n/, ""));
  assertEquals(permissionDifferences(readme, "README.md", fewer, "bin/trimtab"), [
    'scripts/fresh_start.ts: README.md has "", bin/trimtab has "no row"',
  ]);
});
