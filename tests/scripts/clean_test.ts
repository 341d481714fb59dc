import { assert, assertEquals, assertMatch } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { idOf, jsonOf, newPlace, type Place, sessionOf } from "./place.ts";
import { writeTrusted } from "../trusted.ts";

const SCRIPT = "scripts/clean.ts";
const DAY_MS = 24 * 60 * 60 * 1000;

function plantState(place: Place, days: number): string {
  const folder = `${place.cwd}/.claude/trimtab/state`;
  ensureDirSync(folder);
  const path = `${folder}/${idOf(7)}.json`;
  Deno.writeTextFileSync(path, "{}\n");
  const time = new Date(Date.now() - days * DAY_MS);
  Deno.utimeSync(path, time, time);
  return path;
}

Deno.test("clean shows what it would delete, and deletes it with --apply", async () => {
  using place = newPlace();
  place.add(idOf(1), sessionOf([]));
  plantState(place, 8);
  const before = place.files();
  const shown = await place.run(SCRIPT, []);
  assertEquals([shown.code, shown.stderr], [0, ""]);
  assertMatch(
    shown.stdout,
    /can be cleaned up:\n {2}\.claude\/trimtab\/state\/7.*its session no longer exists/,
  );
  assertMatch(shown.stdout, /^Total: 1 file, 1KB\. Delete with --apply\.$/m);
  assertEquals(place.files(), before);
  const done = await place.run(SCRIPT, ["--apply"]);
  assertMatch(done.stdout, /^Deleted in .*: 1 file, 1KB\.\n/);
  assertEquals(place.files(), before.filter((path) => !path.includes("/state/")));
  const none = await place.run(SCRIPT, ["--apply"]);
  assertMatch(none.stdout, /has nothing to clean up\.\n$/);
});

Deno.test("clean uses the project's retention_days", async () => {
  using place = newPlace();
  plantState(place, 8);
  writeTrusted(`${place.cwd}/.claude/trimtab.toml`, "[context]\nretention_days = 9\n", {
    projectDir: place.cwd,
    configDir: place.config,
  });
  assertEquals(jsonOf(await place.run(SCRIPT, ["--json"])).count, 0);
});

Deno.test("clean --all --json deletes all files of a project, even with a broken configuration", async () => {
  using place = newPlace();
  const session = place.add(idOf(1), sessionOf([["Bash", "x"]], { cwd: place.cwd }));
  const saved = await place.run("scripts/checkpoint.ts", [session]);
  assertEquals(saved.code, 0, saved.stderr);
  Deno.writeTextFileSync(`${place.cwd}/.claude/trimtab.toml`, "[context\n");
  const json = jsonOf(await place.run(SCRIPT, ["--all", "--apply", "--json"]));
  assertEquals([json.applied, json.index_rows, json.others], [true, 1, []]);
  assert(Number(json.count) > 3);
  assertEquals(place.files().filter((path) => path.startsWith("project/")), [
    "project/.claude/trimtab.toml",
  ]);
  assert(place.files().some((path) => path.endsWith(`${idOf(1)}.jsonl`)));
});
