import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { copyPlugin } from "../plugin_copy.ts";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { posixTest } from "../posix.ts";
import { newPlace, type Place, test, textOf } from "./place.ts";

const SCRIPT = "scripts/install.ts";
const TEXT = '{\n  "model": "opus"\n}\n';
const PLUGIN = '{ "enabledPlugins": { "trimtab@trimtab": true } }';

function settings(place: Place, folder = place.config): string {
  return Deno.readTextFileSync(`${folder}/settings.json`);
}

test("install, a second install and uninstall print their changes", async (place) => {
  Deno.writeTextFileSync(`${place.config}/settings.json`, TEXT);
  const first = textOf(await place.run(SCRIPT, []));
  assertMatch(first, /^trimtab is installed in .*settings\.json\.\nHooks: .*Stop\.\nSkills/);
  assertMatch(first, /^Backup of the settings: .*settings\.json\.trimtab-backup-/m);
  const again = await place.text(SCRIPT);
  assertMatch(again, /already installed in .*: nothing to do\.$/m);
  const removed = await place.text(SCRIPT, ["--uninstall"]);
  assertMatch(removed, /^trimtab is removed from .*\nHooks: .*\nSkills unlinked: /);
  assertEquals(settings(place), TEXT);
  const none = await place.text(SCRIPT, ["--uninstall"]);
  assertMatch(none, /^trimtab is not installed in /);
});

test("install --dry-run shows the lines that change and writes nothing", async (place) => {
  Deno.writeTextFileSync(`${place.config}/settings.json`, TEXT);
  const before = place.files();
  const stdout = await place.text(SCRIPT, ["--dry-run", "--status-line"]);
  assertMatch(stdout, /\n\n- {2}"model": "opus"\n\+ {2}"model": "opus",\n\+ {2}"hooks": \{\n/);
  assertStringIncludes(stdout, '+  "statusLine": {');
  assertEquals([settings(place), place.files()], [TEXT, before]);
});

test("install --project --json reports its changes", async (place) => {
  const json = await place.json(SCRIPT, ["--project", "--status-line"]);
  assertEquals(json.action, "installed");
  assertEquals(json.settings, `${place.cwd}/.claude/settings.json`);
  assertEquals([json.status_line, json.dry_run, json.backup], ["ours", false, null]);
  const keys = "action settings dry_run hooks skills skills_taken status_line plugin backup diff";
  assertEquals(Object.keys(json), keys.split(" "));
  assert(!place.files().includes(".claude/settings.json"));
});

test("install --status-line with the plugin reports that it changes only the status line", async (place) => {
  Deno.writeTextFileSync(`${place.config}/settings.json`, PLUGIN);
  for (const option of ["--status-line", "--uninstall"]) {
    const [planned, done] = [
      await place.text(SCRIPT, [option, "--dry-run"]),
      await place.text(SCRIPT, [option]),
    ];
    const verb = option === "--uninstall" ? "removed from" : "installed in";
    assertStringIncludes(planned, `trimtab's status line would be ${verb} `);
    assertStringIncludes(done, `trimtab's status line is ${verb} `);
  }
});

test("install keeps the user's own status line, and explains how to have both", async (place) => {
  const foreign = '{ "statusLine": { "type": "command", "command": "date" } }';
  Deno.writeTextFileSync(`${place.config}/settings.json`, foreign);
  const { stdout } = await place.call(SCRIPT, ["--status-line"]);
  assertMatch(stdout, /^Your own status line is kept\./m);
  assertMatch(stdout, /with the same JSON on stdin: \/bin\/sh ".*\/bin\/trimtab" statusline$/m);
});

test("install --uninstall explains how to remove the plugin, which it leaves enabled", async (place) => {
  Deno.writeTextFileSync(`${place.config}/settings.json`, PLUGIN);
  const pattern =
    /^trimtab is not installed in .*settings\.json: nothing to do\.\n(?:.*\n)*The plugin is still enabled\. To remove it: claude plugin uninstall trimtab@trimtab$/m;
  assertMatch(await place.text(SCRIPT, ["--uninstall"]), pattern);
});

posixTest("install writes commands that a shell understands, from any folder", async () => {
  using place = newPlace();
  const root = copyPlugin(`${place.home}/a "b" 'c' $HOME \`d\` \\e ü`);
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const env = cleanEnv({ PATH: `${deno}:/usr/bin:/bin`, HOME: place.home });
  const options = { cwd: place.cwd, clearEnv: true, env };
  const done = await runChild("sh", [`${root}/bin/trimtab`, "install", "--status-line"], options);
  textOf(done);
  const { statusLine } = JSON.parse(settings(place));
  const stdin = JSON.stringify({ model: { display_name: "Opus" }, cwd: place.cwd });
  const line = await runChild("sh", ["-c", statusLine.command], { ...options, stdin });
  assertStringIncludes(textOf(line), "Opus");
});
