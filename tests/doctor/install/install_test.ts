import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { existsSync } from "@std/fs";
import fc from "fast-check";
import {
  isOwnStatusLine,
  rootOf,
  statusLineCommand,
} from "../../../src/doctor/install/settings.ts";
import { PLUGIN } from "../../plugin_copy.ts";
import { posixTest } from "../../posix.ts";
import { replaced } from "../../scripts/in_process.ts";
import { modeOf, namesIn, newFolder } from "../../folder.ts";
import { runsOf } from "../../full.ts";
import { newSettings } from "./settings.ts";

const OTHER = { type: "command", command: "echo hi" };
const SKILLS = namesIn(`${PLUGIN}/skills`);

function commandsIn(text: string | null): string[] {
  const { hooks = {} }: { hooks?: Record<string, { hooks: { command: string }[] }[]> } = JSON
    .parse(text ?? "{}");
  return Object.values(hooks).flat().flatMap((group) => group.hooks.map(({ command }) => command));
}

Deno.test("install() adds every hook of the plugin, and adds nothing on a second run", () => {
  using place = newSettings();
  const first = place.install();
  assertEquals([first.action, first.backup, first.skills], ["installed", null, SKILLS]);
  const text = place.read();
  const commands = commandsIn(Deno.readTextFileSync(`${PLUGIN}/hooks/hooks.json`))
    .map((command) => command.replace("${CLAUDE_PLUGIN_ROOT}", PLUGIN));
  assertEquals(commandsIn(text), commands);
  assert(commands.every((command) => rootOf(command) !== null));
  const { mtime } = Deno.statSync(place.path);
  const second = place.install();
  assertEquals([second.action, second.diff, second.backup], ["already installed", "", null]);
  assertEquals(place.read(), text);
  assertEquals(Deno.statSync(place.path).mtime, mtime);
  assertEquals(place.install({ uninstall: true }).action, "uninstalled");
  assertEquals(namesIn(place.folder).length, 1);
  assertEquals(place.install({ uninstall: true }).action, "not installed");
});

posixTest("statusLineCommand() escapes text that a shell would expand in double quotes", () => {
  const root = '/a "b"/$HOME/`id`/c\\d';
  const command = statusLineCommand(root);
  assertStringIncludes(command, '"/a \\"b\\"/\\$HOME/\\`id\\`/c\\\\d/bin/trimtab"');
  assertEquals(rootOf(command.replace(/statusline$/, "hook stop")), root);
});

Deno.test("install() adds only the status line if the plugin is enabled, and uninstall removes it", () => {
  using place = newSettings();
  const before = '{\n  "enabledPlugins": { "trimtab@trimtab": true }\n}\n';
  place.write(before);
  const error = assertThrows(() => place.install(), TypeError);
  assertStringIncludes(error.message, "install only the status line");
  const added = place.install({ statusLine: true });
  assertEquals([added.action, added.hooks, added.skills], ["installed", [], []]);
  const { hooks, statusLine } = JSON.parse(place.read() ?? "");
  assertEquals([hooks, statusLine.command], [undefined, statusLineCommand(PLUGIN)]);
  assertEquals(existsSync(`${place.folder}/skills`), false);
  assertEquals(place.install({ statusLine: true }).action, "already installed");
  assertEquals(place.install({ uninstall: true }).action, "uninstalled");
  assertEquals(place.read(), before);
});

posixTest("statusLineCommand() for the plugin starts the newest installed version", () => {
  using temporary = newFolder();
  const config = temporary.path;
  for (const [nth, version] of ["0.10.0", "0.9.0", "0.11.0"].entries()) {
    const bin = `${config}/plugins/cache/market/trimtab/${version}/bin`;
    Deno.mkdirSync(bin, { recursive: true });
    Deno.writeTextFileSync(`${bin}/trimtab`, `echo ${version} "$@"\n`);
    Deno.utimeSync(`${bin}/trimtab`, 1_000_000 + nth, 1_000_000 + nth);
  }
  const root = `${config}/plugins/cache/market/trimtab/0.9.0`;
  const command = statusLineCommand(root);
  assert(isOwnStatusLine(command));
  const env = { CLAUDE_CONFIG_DIR: config };
  const { stdout } = new Deno.Command("sh", { args: ["-c", command], env }).outputSync();
  assertEquals(new TextDecoder().decode(stdout), "0.11.0 statusline\n");
});

Deno.test("install() refers to skills without a prefix, as the client does", () => {
  using place = newSettings();
  place.install();
  const { hooks } = JSON.parse(place.read() ?? "");
  const matchers = hooks.UserPromptExpansion.map(({ matcher }: { matcher: string }) => matcher);
  assertEquals(matchers, ["trim", "fresh-start"]);
  assertEquals(Deno.readLinkSync(`${place.folder}/skills/trim`), `${PLUGIN}/skills/trim`);
});

Deno.test("install() leaves out a skill whose name is taken, along with the skill's hook", () => {
  using place = newSettings();
  Deno.mkdirSync(`${place.folder}/skills/trim`, { recursive: true });
  Deno.symlinkSync(place.root, `${place.folder}/skills/rollover`);
  const { skills, skills_taken: taken } = place.install();
  assertEquals(taken, ["rollover", "trim"]);
  assertEquals(skills, SKILLS.filter((name) => !taken.includes(name)));
  assert(!(place.read() ?? "").includes('"trim"'));
  place.install({ uninstall: true });
  assert(existsSync(`${place.folder}/skills/trim`, { isDirectory: true }));
  assertEquals(Deno.readLinkSync(`${place.folder}/skills/rollover`), place.root);
});

Deno.test("install() replaces entries that belong to another folder or version", () => {
  using place = newSettings('{\n  "model": "opus"\n}\n');
  const old = place.trimtab("trimtab-0.0.9");
  place.install({ root: old, statusLine: true });
  place.write((place.read() ?? "").replaceAll(" hook stop", " hook stopped"));
  const { action, status_line: line } = place.install();
  assertEquals([action, line], ["updated", "ours"]);
  assert(!(place.read() ?? "").includes(old));
  assert(!commandsIn(place.read()).some((command) => command.includes("stopped")));
  assertEquals(Deno.readLinkSync(`${place.folder}/skills/trim`), `${PLUGIN}/skills/trim`);
  place.install({ uninstall: true });
  assertEquals(place.read(), '{\n  "model": "opus"\n}\n');
  assert(!existsSync(`${place.folder}/skills`));
});

Deno.test("install() recognizes its links after their target is gone", () => {
  using place = newSettings("{}");
  const old = place.trimtab('old "trimtab" $1');
  Deno.mkdirSync(`${old}/skills/dropped`);
  place.install({ root: old });
  const foreignEntry = `${place.folder}/skills/plan-batches`;
  Deno.symlinkSync(`${place.root}/dotfiles/skills/plan-batches`, foreignEntry);
  Deno.removeSync(old, { recursive: true });
  const { skills, skills_taken: taken } = place.install({ dryRun: true });
  assertEquals(taken, ["plan-batches"]);
  assert(skills.includes("trim") && !skills.includes("dropped"));
  place.install();
  assertEquals(Deno.readLinkSync(`${place.folder}/skills/trim`), `${PLUGIN}/skills/trim`);
  assert(!namesIn(`${place.folder}/skills`).includes("dropped"));
  place.install({ uninstall: true });
  assertEquals(namesIn(`${place.folder}/skills`), ["plan-batches"]);
  assertEquals(place.read(), "{}");
});

Deno.test("install() keeps another program's status line, and changes only the command of its own status line", () => {
  const foreignEntry = '{ "statusLine": { "type": "command", "command": "date" } }';
  using place = newSettings(foreignEntry);
  assertEquals(place.install({ statusLine: true }).status_line, "other");
  assertStringIncludes(place.read() ?? "", '"command": "date"');
  place.install({ uninstall: true });
  assertEquals(place.read(), foreignEntry);
  place.write("{}");
  assertEquals(place.install().status_line, "none");
  assertEquals(place.install({ statusLine: true }).status_line, "ours");
  assertEquals(place.install().action, "already installed");
  const installed = place.read() ?? "";
  const edited = JSON.parse(installed);
  place.write(JSON.stringify({ ...edited, statusLine: { ...edited.statusLine, padding: 0 } }));
  place.install({ root: place.trimtab("trimtab-2") });
  const command = statusLineCommand(`${place.root}/trimtab-2`);
  const { statusLine } = JSON.parse(place.read() ?? "");
  assertEquals(statusLine, { type: "command", command, padding: 0 });
  place.write(installed);
  place.install({ uninstall: true });
  assertEquals(place.read(), "{}");
});

Deno.test("install() refuses invalid or ambiguous settings, reports the file, and leaves it unchanged", () => {
  const wrong = [
    ['{\n  "a": 1\n  "b": 2\n}', SyntaxError, "it is not JSON, so Claude Code ignores it"],
    ['{ "a": 1, // mine\n}', SyntaxError, "(line 1 column 11)"],
    ['{\n  "a": /* my token */ 1\n}', SyntaxError, ": Unexpected token '/'"],
    ["// mine\n{}", SyntaxError, ": Unexpected token '/'"],
    ['{\n  "a": 1', SyntaxError, "(line 2 column 9)"],
    ['{\n  "a": [', SyntaxError, ": Unexpected end"],
    ["[]", TypeError, "expected an object"],
    ['{"hooks": []}', TypeError, "hooks must be an object"],
    ['{"hooks": {"Stop": {}}}', TypeError, "hooks.Stop must be an array of objects"],
    ['{"hooks": {"Stop": [1]}}', TypeError, "hooks.Stop must be an array of objects"],
    ['{"hooks": {"Stop": [{"hooks": 1}]}}', TypeError, "hooks.Stop must be an array of objects"],
    ['{"enabledPlugins": {"trimtab@trimtab": true}}', TypeError, "run twice"],
  ] as const;
  for (const [text, type, words] of wrong) {
    using place = newSettings(text);
    const error = assertThrows(() => place.install(), type, words);
    assertStringIncludes(error.message, place.path);
    assert(!error.message.includes("my token"), "the file is not quoted");
    assertEquals(place.read(), text);
    assertEquals(namesIn(place.folder).length, 1);
  }
});

Deno.test("install() treats an empty file as empty settings, and restores its bytes", () => {
  for (const text of ["", " \n"]) {
    using place = newSettings(text);
    assertEquals(place.install().action, "installed");
    assert(commandsIn(place.read()).length > 5);
    assertEquals(place.install().action, "already installed");
    assertEquals(place.install({ uninstall: true }).action, "uninstalled");
    assertEquals(place.read(), text);
    assertEquals(place.install({ uninstall: true }).action, "not installed");
  }
});

Deno.test("install() refuses a folder, a broken link and invalid UTF-8", () => {
  using place = newSettings("{}");
  Deno.writeFileSync(place.path, new Uint8Array([0x7b, 0xff, 0x7d]));
  assertThrows(() => place.install(), TypeError, "not UTF-8");
  Deno.removeSync(place.path);
  Deno.mkdirSync(place.path);
  assertThrows(() => place.install(), TypeError, "not a regular file");
  Deno.removeSync(place.path);
  Deno.symlinkSync(`${place.root}/nowhere`, place.path);
  assertThrows(() => place.install(), TypeError, "it is a link to a missing file");
  assert(!existsSync(`${place.folder}/skills`));
});

Deno.test("install() writes through a link, keeps the mode, and puts backups next to the link", () => {
  using place = newSettings("{}");
  const target = `${place.root}/dotfiles.json`;
  Deno.writeTextFileSync(target, '{\n  "a": 1\n}\n', { mode: 0o640 });
  Deno.removeSync(place.path);
  Deno.symlinkSync("../dotfiles.json", place.path);
  const { backup } = place.install();
  assert(Deno.lstatSync(place.path).isSymlink);
  assertEquals(Deno.readLinkSync(place.path), "../dotfiles.json");
  assert(commandsIn(Deno.readTextFileSync(target)).length > 5);
  assertEquals(modeOf(target), 0o640);
  assert(backup?.startsWith(`${place.path}.trimtab-backup-`));
  assertEquals(Deno.readTextFileSync(backup ?? ""), '{\n  "a": 1\n}\n');
  place.install({ uninstall: true });
  assertEquals(Deno.readTextFileSync(target), '{\n  "a": 1\n}\n');
});

Deno.test("install() leaves nothing behind if a link cannot be made", () => {
  using place = newSettings("{}");
  const { symlinkSync } = Deno;
  let count = 0;
  using _ = replaced(Deno, "symlinkSync", (...args: Parameters<typeof symlinkSync>) => {
    if (++count === 3) throw new Deno.errors.PermissionDenied("no more links");
    symlinkSync(...args);
  });
  assertThrows(() => place.install(), Error, "no more links");
  assertEquals([namesIn(place.folder), place.read()], [["settings.json"], "{}"]);
});

Deno.test("install() keeps only the 5 newest backups", () => {
  using place = newSettings('{ "a": 1 }');
  for (let n = 0; n < 4; n++) {
    place.install();
    place.install({ uninstall: true });
  }
  const copies = namesIn(place.folder).filter((name) => name.includes("backup"));
  assertEquals(copies.length, 5);
  assertStringIncludes(copies.at(-1) ?? "", "20260301T120008000Z");
});

Deno.test("install() keeps the indentation and the line endings", () => {
  const text = '{\r\n    "a": 1,\r\n    "hooks": {\r\n        "Stop": []\r\n    }\r\n}';
  using place = newSettings(text);
  place.install();
  const installed = place.read() ?? "";
  assert(installed.startsWith('{\r\n    "a": 1,\r\n    "hooks": {\r\n        "Stop": [\r\n'));
  assert(!/[^\r]\n/.test(installed));
  place.install({ uninstall: true });
  assertEquals(place.read(), text);
});

Deno.test("install() keeps another program's hook in one of trimtab's groups, and registers it only once", () => {
  using place = newSettings("{}\n");
  place.install();
  const { hooks } = JSON.parse(place.read() ?? "");
  hooks.Stop[0].hooks.push(OTHER);
  const count = (): number =>
    commandsIn(place.read()).filter((text) => text === OTHER.command).length;
  place.write(JSON.stringify({ hooks }));
  assertEquals(place.install().action, "already installed");
  place.write(JSON.stringify({ enabledPlugins: { "trimtab@trimtab": true }, hooks }));
  const { length } = commandsIn(place.read());
  place.install({ statusLine: true });
  assertEquals([count(), commandsIn(place.read()).length], [1, length]);
  place.install({ uninstall: true });
  assertEquals(commandsIn(place.read()), [OTHER.command]);
});

Deno.test("install() with uninstall keeps changes that were made after the installation", () => {
  using place = newSettings('{\n  "model": "opus"\n}\n');
  place.install({ statusLine: true });
  const { hooks, ...edited } = JSON.parse(place.read() ?? "");
  hooks.Stop.unshift({ hooks: [OTHER] });
  hooks.SessionEnd[0].hooks.unshift(OTHER);
  place.write(JSON.stringify({ ...edited, model: "haiku", hooks }));
  place.install({ uninstall: true });
  assertEquals(JSON.parse(place.read() ?? ""), {
    model: "haiku",
    hooks: { SessionEnd: [{ hooks: [OTHER] }], Stop: [{ hooks: [OTHER] }] },
  });
});

function anySettings(): fc.Arbitrary<string> {
  const group = fc.record({ matcher: fc.constantFrom("Bash", "*"), hooks: fc.constant([OTHER]) });
  const groups = fc.array(group, { maxLength: 2 });
  const hooks = fc.dictionary(fc.constantFrom("Stop", "PreCompact", "Notification"), groups);
  const own = ["__proto__", "hooks", "statusLine"];
  const rest = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }))
    .filter((settings) => own.every((name) => !Object.hasOwn(settings, name)));
  const settings = fc.tuple(rest, fc.option(hooks), fc.boolean()).map(([first, events, isFirst]) =>
    events === null ? first : isFirst ? { hooks: events, ...first } : { ...first, hooks: events }
  );
  const layouts = fc.record({
    indent: fc.constantFrom(undefined, 2, 4, "\t"),
    hasCrlf: fc.boolean(),
    hasBom: fc.boolean(),
    tail: fc.constantFrom("", "\n", " "),
  });
  return fc.tuple(settings, layouts).map(([value, { indent, hasCrlf, hasBom, tail }]) => {
    const text = JSON.stringify(value, null, indent) + tail;
    return (hasBom ? "\ufeff" : "") + (hasCrlf ? text.replaceAll("\n", "\r\n") : text);
  });
}

Deno.test("install() with uninstall restores the original bytes (seed 20260303)", () => {
  const property = fc.property(anySettings(), fc.boolean(), (text, statusLine) => {
    using place = newSettings(text);
    place.install({ statusLine });
    assert(commandsIn(place.read()).length > 5);
    assertEquals(place.install({ statusLine }).action, "already installed");
    place.install({ uninstall: true });
    assertEquals(place.read(), text);
  });
  fc.assert(property, { numRuns: runsOf(100, 40, "settings that are restored"), seed: 20260303 });
});
