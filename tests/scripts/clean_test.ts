import { assert, assertEquals, assertMatch } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { idOf, type Place, sessionOf, test, textOf } from "./place.ts";

const SCRIPT = "scripts/clean.ts";
const DAY_MS = 24 * 60 * 60 * 1000;

function plantOldState(place: Place): void {
  const folder = `${place.cwd}/.claude/trimtab/state`;
  ensureDirSync(folder);
  const path = `${folder}/${idOf(7)}.json`;
  Deno.writeTextFileSync(path, "{}\n");
  const time = new Date(Date.now() - 8 * DAY_MS);
  Deno.utimeSync(path, time, time);
}

test("clean shows what it would delete, and deletes it with --apply", async (place) => {
  place.add(idOf(1), sessionOf([]));
  plantOldState(place);
  const before = place.files();
  const shown = await place.text(SCRIPT);
  const pattern = /can be cleaned up:\n {2}\.claude\/trimtab\/state\/7.*session no longer exists/;
  assertMatch(shown, pattern);
  assertMatch(shown, /^Total: 1 file, 1KB\. Delete with --apply\.$/m);
  assertEquals(place.files(), before);
  assertMatch(textOf(await place.run(SCRIPT, ["--apply"])), /^Deleted in .*: 1 file, 1KB\.\n/);
  assertEquals(place.files(), before.filter((path) => !path.includes("/state/")));
  assertMatch(await place.text(SCRIPT, ["--apply"]), /has nothing to clean up\.\n$/);
});

test("clean uses the project's retention_days", async (place) => {
  plantOldState(place);
  place.configure("[context]\nretention_days = 9\n");
  assertEquals((await place.json(SCRIPT)).count, 0);
});

test("clean --all --apply deletes all files that trimtab stored, even with a broken configuration", async (place) => {
  const session = place.add(idOf(1), sessionOf([["Bash", "x"]], { cwd: place.cwd }));
  await place.text("scripts/checkpoint.ts", [session]);
  Deno.writeTextFileSync(`${place.cwd}/.claude/trimtab.toml`, "[context\n");
  const json = await place.json(SCRIPT, ["--all", "--apply"]);
  assertEquals([json.applied, json.index_rows, json.others], [true, 1, []]);
  assert(Number(json.count) > 3);
  assertEquals(place.files().filter((path) => path.startsWith("project/")), [
    "project/.claude/trimtab.toml",
  ]);
  assert(place.files().some((path) => path.endsWith(`${idOf(1)}.jsonl`)));
});
