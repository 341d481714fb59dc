import { assertEquals, assertThrows } from "@std/assert";
import {
  listBackups,
  readSettingsFile,
  replaceSettingsFile,
} from "../../../src/doctor/install/settings_file.ts";
import { newSettings } from "./settings.ts";

const NOON_MS = Date.parse("2026-03-01T12:00:00Z");

function replace(path: string, text: string | null): string | null {
  const file = readSettingsFile(path);
  return replaceSettingsFile(path, { file, text, nowMs: NOON_MS });
}

Deno.test("replaceSettingsFile() does not overwrite a concurrent change", () => {
  using place = newSettings("{}\n");
  const file = readSettingsFile(place.path);
  place.write('{ "theirs": 1 }\n');
  const change = { file, text: '{ "ours": 1 }\n', nowMs: NOON_MS };
  assertThrows(() => replaceSettingsFile(place.path, change), Error, "has changed in the meantime");
  assertEquals(place.read(), '{ "theirs": 1 }\n');
});

Deno.test("replaceSettingsFile() gives backups made at the same time different names that sort by age", () => {
  using place = newSettings("0");
  for (let n = 1; n <= 5; n++) replace(place.path, String(n));
  const kept = listBackups(place.path).map((path) => Deno.readTextFileSync(path));
  assertEquals(kept, ["4", "3", "2", "1", "0"]);
});

Deno.test("listBackups() lists only files that are named like trimtab's backups", () => {
  using place = newSettings("{}");
  for (const name of ["settings.json.bak", "settings.json.trimtab-backup-1", "x.trimtab-backup-"]) {
    Deno.writeTextFileSync(`${place.folder}/${name}`, "");
  }
  assertEquals(listBackups(place.path), []);
  assertEquals(listBackups("/nowhere/settings.json"), []);
});
