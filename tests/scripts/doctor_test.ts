import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { idOf, jsonOf, sessionOf, test } from "./place.ts";

const SCRIPT = "scripts/doctor.ts";

test("doctor finds no problem in a fresh home, through the launcher", async (place) => {
  Deno.removeSync(place.config, { recursive: true });
  const env = { CLAUDE_PROJECT_DIR: place.cwd };
  const json = jsonOf(await place.launch(["doctor", "--json"], { env }));
  assertEquals([json.findings, json.fixed], [[], 0]);
  assertEquals(Object.keys(json), ["project", "version", "findings", "checks", "fixed"]);
  assertEquals(place.files(), []);
});

test("doctor runs every check without a home folder", async (place) => {
  const env = { CLAUDE_PROJECT_DIR: place.cwd, HOME: "", CLAUDE_CONFIG_DIR: "" };
  const { code, stdout } = await place.launch(["doctor"], { env });
  assertEquals(code, 0, stdout);
  assertMatch(stdout, /ok {2}settings +not found: neither HOME nor CLAUDE_CONFIG_DIR is set/);
  assertMatch(stdout, /ok {2}permissions/);
});

test("doctor exits 3 for findings, 0 after --fix, and changes nothing without it", async (place) => {
  place.add(idOf(1), sessionOf([], { cwd: place.cwd }));
  const folder = `${place.cwd}/.claude/trimtab`;
  ensureDirSync(folder);
  Deno.chmodSync(folder, 0o700);
  const path = `${folder}/left.json`;
  Deno.writeTextFileSync(path, "[]");
  Deno.chmodSync(path, 0o644);
  const found = await place.call(SCRIPT, []);
  assertEquals([found.code, found.stderr], [3, ""]);
  assertMatch(found.stdout, /^trimtab \S+ in .*: 1 warning, 1 note\.\n/);
  assertStringIncludes(found.stdout, "To do: `trimtab doctor --fix` removes their access.");
  assertEquals(Deno.statSync(path).mode, 0o100644);
  const fixed = jsonOf(await place.run(SCRIPT, ["--fix", "--json"]));
  assertEquals([fixed.fixed, Deno.statSync(path).mode], [1, 0o100600]);
});
